package io.github.fencedwrite.examples.inventory.http;

/** A request that HTTP itself, and not the business, does not allow. */
public final class ProblemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ProblemType type;

    /**
     * Creates the exception.
     *
     * @param detail for the caller: what was wrong, and what to do
     */
    public ProblemException(ProblemType type, String detail) {
        super(detail);
        this.type = type;
    }

    /** What is wrong. */
    public ProblemType type() {
        return type;
    }
}
