package io.github.fencedwrite.examples.chaos.worker;

import java.util.List;

/** A kind of work. Each is done under a lock of one of a few resources, so that workers meet often. */
public interface Workload {

    /** How many resources there are of each kind, and rows in each table of stocks. */
    int ROWS = 12;

    /** How many accounts a bank has. */
    int ACCOUNTS = 3;

    /** All kinds, on all levels. */
    List<Workload> ALL = List.of(
            new Increment(),
            new Adjust("stock", false),
            new Transfer(),
            new Reserve("item", "reservation", false),
            new Adjust("seat", true),
            new Reserve("seat", "booking", true),
            new Rogue());

    /** For statistics. */
    String name();

    /** What is locked. */
    String resource(int number);

    /**
     * Does the work once.
     *
     * @throws io.github.fencedwrite.FencedWriteException if it was refused, or its fate is unknown
     * @throws RuntimeException if anything else happened
     */
    void perform(Task task);
}
