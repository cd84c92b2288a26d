package io.github.fencedwrite.examples.inventory;

/** A request that the rules of the business do not allow. Nothing was changed. */
public final class RejectedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Which rule it was. */
    public enum Reason {
        /** A value outside of its range. */
        INVALID_VALUE,
        /** There is no such product. */
        UNKNOWN_PRODUCT,
        /** There is no such warehouse. */
        UNKNOWN_WAREHOUSE,
        /** The warehouse does not stock the product. */
        NOT_STOCKED,
        /** There is no such reservation. */
        UNKNOWN_RESERVATION,
        /** There is no such transfer. */
        UNKNOWN_TRANSFER,
        /** Less is available than was asked for. */
        NOT_ENOUGH_STOCK,
        /** The sale was not approved. */
        NOT_APPROVED,
        /** The reservation is in a state that does not allow it. */
        WRONG_STATE,
        /** The idempotency key belongs to another request. */
        KEY_REUSED
    }

    private final Reason reason;

    /**
     * Creates the exception.
     *
     * @param message for the caller: what was wrong, and what to do
     */
    public RejectedException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** Which rule it was. */
    public Reason reason() {
        return reason;
    }
}
