package io.github.fencedwrite.examples.inventory.worker;

/**
 * Something that happened to a worker, one line of JSON each. Numbers that do not belong to a kind are 0.
 *
 * @param at when, in milliseconds since 1970
 * @param worker which one
 * @param token of its lease; of a write, the token that it presented
 * @param storedToken of a refused write, the token that the row carries
 * @param validMillis of an acquisition, how long the lease can be relied on
 * @param stock what it read, or wrote
 * @param text for people
 */
public record WorkerEvent(
        long at,
        String worker,
        Kind kind,
        String sku,
        Guard guard,
        long token,
        long storedToken,
        long validMillis,
        int stock,
        int quantity,
        String text) {

    /** Something that was done to the process of a worker. */
    static WorkerEvent ofProcess(String worker, Kind kind, String text) {
        return new WorkerEvent(System.currentTimeMillis(), worker, kind, "", Guard.NONE, 0, 0, 0, 0, 0, text);
    }

    /** What happened. */
    public enum Kind {
        /** It can take commands. */
        READY,
        /** It asks for the lock. */
        ASKING,
        /** It has a lease. */
        ACQUIRED,
        /** It did not get the lock. */
        NOT_ACQUIRED,
        /** It has read the stock and thinks. */
        READ,
        /** The database took its write. */
        ACCEPTED,
        /** The database refused its write. */
        REFUSED,
        /** It failed otherwise. */
        FAILED,
        /** Its process was stopped. */
        PAUSED,
        /** Its process goes on. */
        RESUMED,
        /** It gave the lease back, or would have. */
        RELEASED,
        /** It has finished the command. */
        IDLE
    }
}
