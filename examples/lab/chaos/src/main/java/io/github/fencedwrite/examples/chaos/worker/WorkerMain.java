package io.github.fencedwrite.examples.chaos.worker;

import java.io.IOException;
import java.util.List;

/**
 * The worker process. Says {@value #READY} when it begins and {@value #OVERTAKEN} whenever a straggler's operation has ended
 * that somebody else overtook between its reading and its writing. Comes to an end when its standard input ends, which
 * happens also if the process that started it is gone.
 */
public final class WorkerMain {

    /** Said once. */
    public static final String READY = "READY";

    /** Said often. */
    public static final String OVERTAKEN = "OVERTAKEN";

    private WorkerMain() {}

    /** Runs until the standard input ends. */
    public static void main(String[] args) throws IOException {
        try (Worker worker = new Worker(WorkerSettings.fromArguments(List.of(args)), WorkerMain::say)) {
            worker.start();
            say(READY);
            while (System.in.read() >= 0) {
                // nothing is ever said to a worker; the end is what is waited for
            }
        }
    }

    @SuppressWarnings("SystemOut") // how it talks to the process that started it
    private static synchronized void say(String line) {
        System.out.println(line);
    }
}
