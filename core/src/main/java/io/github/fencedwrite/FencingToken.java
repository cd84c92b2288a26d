package io.github.fencedwrite;

/**
 * A number that grows with every acquisition of a resource, so that a database can tell an old holder from a new one.
 *
 * <p>Tokens of two different resources cannot be compared. Tokens minted by {@link FencedLocks} stay below 2<sup>53</sup>;
 * any other strictly increasing positive sequence will do as well, for example a ZooKeeper zxid, an etcd revision or a
 * database sequence. Immutable and safe for use by many threads.
 *
 * <p>The idea of a token that the storage compares is described by Martin Kleppmann, <i>How to do distributed
 * locking</i> (2016).
 *
 * @param value the number itself, 1 to {@link Long#MAX_VALUE}
 */
public record FencingToken(long value) implements Comparable<FencingToken> {

    /**
     * Wraps a number as a token.
     *
     * @throws IllegalArgumentException if {@code value} is zero or negative: unfenced rows carry 0, so such a token would
     *     pass no guard or every guard
     */
    public FencingToken {
        if (value <= 0) {
            throw new IllegalArgumentException("A fencing token is a positive number, but this is " + value
                    + ". Take it from the lease (lease.token()), or from a source that starts at 1.");
        }
    }

    /**
     * Wraps a number as a token.
     *
     * @param value 1 to {@link Long#MAX_VALUE}
     * @throws IllegalArgumentException if {@code value} is zero or negative
     */
    public static FencingToken of(long value) {
        return new FencingToken(value);
    }

    /** Tells whether this token was handed out after {@code other}, both for the same resource. */
    public boolean isNewerThan(FencingToken other) {
        return value > other.value;
    }

    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(value, other.value);
    }

    /** The number in decimal, as it stands in the database. */
    @Override
    public String toString() {
        return Long.toString(value);
    }
}
