package io.github.fencedwrite.examples.inventory.stock;

import io.github.fencedwrite.examples.inventory.RejectedException;

/**
 * How many pieces.
 *
 * @param pieces 1 to 1,000,000
 */
public record Quantity(int pieces) {

    /** The most that one request can move. */
    public static final int MOST = 1_000_000;

    /** Checks the range. */
    public Quantity {
        require(pieces);
    }

    /** A quantity from a number that a client sent. */
    public static Quantity of(long pieces) {
        require(pieces);
        return new Quantity((int) pieces);
    }

    private static void require(long pieces) {
        if (pieces < 1 || pieces > MOST) {
            throw new RejectedException(
                    RejectedException.Reason.INVALID_VALUE, "A quantity is 1 to " + MOST + ", not " + pieces);
        }
    }
}
