package io.github.fencedwrite.jdbi;

/**
 * Hears what became of guarded writes: of each statement, each row of a batch, each claim, and each fenced transaction that did
 * not end as its body did. Given to {@link FencingPlugin#listener} or {@link FencedJdbc#listener}.
 *
 * <p>Called on the thread that writes, as soon as the outcome is known and before the transaction ends: what is told as applied
 * may be rolled back still. Must be quick and safe for use by many threads; what it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface WriteListener {

    /**
     * Called with one outcome.
     *
     * @param target table, key, token, and the lease with its resource where it was given
     */
    void finished(FencedTarget target, WriteOutcome outcome);
}
