package io.github.fencedwrite.jdbi;

/** A statement for claimed rows met a row that this lease has not claimed. */
public final class NotClaimedException extends WriteNotAppliedException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the outcome; of use to tests of an application, too.
     *
     * @param target what the write was about
     */
    public NotClaimedException(WriteOutcome.NotClaimed outcome, FencedTarget target) {
        super(
                target + " was not written: the statement is for rows claimed with token " + outcome.presented()
                        + ", but the row carries " + outcome.stored()
                        + ". Claim it first, in the same transaction or in one that was committed.",
                target,
                outcome,
                null);
    }
}
