package io.github.fencedwrite.examples.servers;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Many random inputs for a test, each with a seed of its own, counted up from {@code -Dseed=N} (by default a new one in each
 * run, printed). How many is {@code -Dinputs=N}, by default a number that suits each build. The first input that fails, or
 * takes too long, is named by its seed; {@code -Dseed} with that and {@code -Dinputs=1} replays it.
 */
public final class RandomInputs {

    private static final Duration LONGEST = Duration.ofSeconds(30);

    /** What is done with one input. */
    @FunctionalInterface
    public interface Trial {

        /**
         * Makes one input and tries it.
         *
         * @param random the only source of chance
         * @throws Exception if what should not happen happened
         */
        void run(SplittableRandom random) throws Exception;
    }

    private final String test;
    private final long seed;
    private final int count;
    private volatile int current;
    private volatile long since;
    private volatile @Nullable AssertionError failure;

    private RandomInputs(String test, int usual) {
        this.test = test;
        this.count = Integer.getInteger("inputs", usual);
        long given = Long.getLong("seed", 0);
        this.seed = given == 0 ? ThreadLocalRandom.current().nextLong(1, Integer.MAX_VALUE) : given;
    }

    /**
     * Tries inputs one after the other on a thread of its own.
     *
     * @param test the test's name, for people
     * @param usual how many inputs if {@code -Dinputs} says nothing
     * @param trial tried with each
     * @throws AssertionError at the first input that fails or takes longer than half a minute, with its seed
     */
    public static void forEach(String test, int usual, Trial trial) throws InterruptedException {
        RandomInputs inputs = new RandomInputs(test, usual);
        System.out.println(test + ": " + inputs.count + " inputs from -Dseed=" + inputs.seed + " on");
        inputs.run(trial);
    }

    private void run(Trial trial) throws InterruptedException {
        since = System.nanoTime();
        Thread worker = new Thread(() -> tryAll(trial), test);
        worker.setDaemon(true);
        worker.start();
        while (worker.isAlive()) {
            TimeUnit.MILLISECONDS.timedJoin(worker, 500);
            if (worker.isAlive() && System.nanoTime() - since > LONGEST.toNanos()) {
                AssertionError hangs = new AssertionError(name(current) + " takes more than " + LONGEST);
                hangs.setStackTrace(worker.getStackTrace());
                throw hangs;
            }
        }
        AssertionError failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    private void tryAll(Trial trial) {
        for (int i = 0; i < count; i++) {
            current = i;
            since = System.nanoTime();
            try {
                trial.run(new SplittableRandom(seed + i));
            } catch (Throwable t) {
                failure = new AssertionError(name(i) + " fails: " + t, t);
                return;
            }
        }
    }

    private String name(int input) {
        return test + ", input " + (seed + input) + " (replay with -Dseed=" + (seed + input) + " -Dinputs=1)";
    }
}
