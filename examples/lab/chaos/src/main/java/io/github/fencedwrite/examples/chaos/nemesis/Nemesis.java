package io.github.fencedwrite.examples.chaos.nemesis;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Breaks things at random, several at once, and mends them. Which and how is decided by the seed; when exactly, by the machine.
 *
 * <p>It keeps within what tokens are promised to bear: no more than two of five nodes forget within {@value #MEMORY_SECONDS}
 * seconds, in which every resource gets new tokens; apart from the fault "flush majority", which goes beyond on purpose, so that
 * the database is the last line. So that there is progress, no more than two nodes are broken at once.
 */
public final class Nemesis {

    private static final int MOST_BROKEN_NODES = 2;
    private static final int MOST_FORGETFUL_NODES = 2;
    private static final int MEMORY_SECONDS = 8;
    private static final int LONGEST_PAUSE_MILLIS = 1_000;

    private final Random random;
    private final List<FaultSource> sources;
    private final PriorityQueue<Wound> wounds = new PriorityQueue<>(Comparator.comparingLong(Wound::healsAt));
    private final Map<String, Long> forgotAt = new HashMap<>();
    private final Map<String, Integer> faults = new TreeMap<>();

    private record Wound(Fault fault, long healsAt) {}

    /**
     * Prepares.
     *
     * @param crash kills the database server and starts it again
     */
    public Nemesis(long seed, List<Site> sites, List<? extends Victim> workers, DataSource database, Runnable crash) {
        this.random = new Random(seed);
        this.sources = List.of(
                new NodeFaults(sites),
                new NetworkFaults(sites),
                new WorkerFaults(workers),
                new DatabaseFaults(database, crash, workers));
    }

    /** Rages for a time, on the caller's thread; at the end everything is mended. */
    public void rage(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            Fault fault = FaultSource.pick(sources, random).draw(random);
            if (isAllowed(fault)) {
                strike(fault);
            }
            healUntil(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(LONGEST_PAUSE_MILLIS)));
        }
        while (!wounds.isEmpty()) {
            wounds.remove().fault().heal().run();
        }
    }

    /** How many faults of each kind there were. */
    public Map<String, Integer> faults() {
        return faults;
    }

    private void strike(Fault fault) {
        fault.strike().run();
        long now = System.nanoTime();
        faults.merge(fault.name(), 1, Integer::sum);
        fault.forgets().forEach(node -> forgotAt.put(node, now));
        wounds.add(new Wound(fault, now + fault.lasts().toNanos()));
    }

    private void healUntil(long end) throws InterruptedException {
        while (!wounds.isEmpty() && wounds.peek().healsAt() - end < 0) {
            sleepUntil(wounds.peek().healsAt());
            Fault fault = wounds.remove().fault();
            fault.heal().run();
            // a node that was away has forgotten when it is back
            fault.forgets().forEach(node -> forgotAt.put(node, System.nanoTime()));
        }
        sleepUntil(end);
    }

    private static void sleepUntil(long time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.max(0, time - System.nanoTime()));
    }

    private boolean isAllowed(Fault fault) {
        Set<String> broken = new HashSet<>();
        wounds.forEach(wound -> broken.addAll(wound.fault().targets()));
        if (fault.targets().stream().anyMatch(broken::contains)) {
            return false;
        }
        if (fault.name().equals("flush majority")) {
            return true;
        }
        broken.addAll(fault.targets());
        long now = System.nanoTime();
        Set<String> forgetful = new HashSet<>(fault.forgets());
        forgotAt.forEach((node, when) -> {
            if (now - when < TimeUnit.SECONDS.toNanos(MEMORY_SECONDS)) {
                forgetful.add(node);
            }
        });
        long brokenNodes =
                broken.stream().filter(target -> target.startsWith("node-")).count();
        return brokenNodes <= MOST_BROKEN_NODES
                && (fault.forgets().isEmpty() || forgetful.size() <= MOST_FORGETFUL_NODES);
    }
}
