package io.github.fencedwrite.jdbi;

/** Of several rows that the statement meant, some were refused. */
public final class PartialWriteException extends WriteNotAppliedException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the outcome; of use to tests of an application, too.
     *
     * @param target what the write was about
     */
    public PartialWriteException(WriteOutcome.Partial outcome, FencedTarget target) {
        super(
                target + " was written in part: token " + outcome.presented() + " wrote " + outcome.applied()
                        + " row(s), but " + outcome.refused()
                        + " row(s) carry a newer token, or one that the mode does not allow. Roll back, acquire again and "
                        + "repeat the work.",
                target,
                outcome,
                null);
    }
}
