package io.github.fencedwrite.jdbi;

/** The row carries the very token of this write, so this lease wrote or claimed it before; nothing was changed now. */
public final class AlreadyWrittenException extends WriteNotAppliedException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the outcome; of use to tests of an application, too.
     *
     * @param target what the write was about
     */
    public AlreadyWrittenException(WriteOutcome.AlreadyWritten outcome, FencedTarget target) {
        super(
                target + " was not written: it carries token " + outcome.presented()
                        + " already, so this lease wrote or claimed it before."
                        + " Several writes of a row under one lease need mode CLAIMED, after a claim; a repetition of the same"
                        + " statement is declared with retry = true.",
                target,
                outcome,
                null);
    }
}
