package io.github.fencedwrite.internal.protocol;

/**
 * What a node can be asked for. Each is one script, executed by the node as a whole or not at all. All times in
 * milliseconds. The resource is that of the attempt which sends the command.
 */
public sealed interface Command {

    /** Take the lock if it is free, count up, and start the counter from {@code seed} if the node forgot it. */
    record Acquire(OwnerId owner, long ttlMillis, long seed) implements Command {}

    /** Accept {@code token} if the lock is still this owner's and the counter exists and is below it. */
    record Raise(OwnerId owner, long token) implements Command {}

    /**
     * Bring an existing counter up to {@code token}; can only make a node say no, hence without owner. Yes if the counter
     * then stands at {@code token} or above, no if there is none.
     */
    record Lift(long token) implements Command {}

    /** Take a free lock for what remains of the validity, and lift the counter; mints nothing. */
    record TopUp(OwnerId owner, long remainingMillis, long token) implements Command {}

    /**
     * Give the lock a new ttl, only where it is still this owner's.
     *
     * @param round tells the extensions of one lease apart, so that a late answer is not counted for a later round; not
     *     sent to the node
     */
    record Extend(OwnerId owner, long ttlMillis, int round) implements Command {}

    /** Delete the lock, only where it is still this owner's, and wake those who wait. */
    record Release(OwnerId owner) implements Command {}
}
