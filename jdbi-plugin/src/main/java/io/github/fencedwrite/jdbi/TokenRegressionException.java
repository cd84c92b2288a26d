package io.github.fencedwrite.jdbi;

/** The lease is still held, but its token is not newer than the stored one: the lock nodes had forgotten their counters. */
public final class TokenRegressionException extends WriteNotAppliedException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the outcome; of use to tests of an application, too.
     *
     * @param target what the write was about
     */
    public TokenRegressionException(WriteOutcome.Regression outcome, FencedTarget target) {
        super(
                target + " was not written: token " + outcome.presented() + " is not newer than " + outcome.stored()
                        + ", although the lease on "
                        + target.resource()
                        + " is still held. The lock nodes had lost their counters and have been lifted."
                        + " Acquire again and repeat the work." + FencedTarget.OTHER_RESOURCE,
                target,
                outcome,
                null);
    }
}
