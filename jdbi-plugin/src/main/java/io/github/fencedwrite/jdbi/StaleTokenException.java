package io.github.fencedwrite.jdbi;

import org.jspecify.annotations.Nullable;

/** Another holder with a newer token has written the row since; this write was refused. */
public final class StaleTokenException extends WriteNotAppliedException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the outcome; of use to tests of an application, too.
     *
     * @param target what the write was about
     */
    public StaleTokenException(WriteOutcome.Stale outcome, FencedTarget target, @Nullable Throwable cause) {
        super(message(outcome, target), target, outcome, cause);
    }

    private static String message(WriteOutcome.Stale outcome, FencedTarget target) {
        String refusal = outcome.stored() == null
                ? " was not written: there is a row in its way whose token the statement does not tell, so it must be taken for a "
                        + "newer one than " + outcome.presented() + "."
                : " was not written: token " + outcome.presented() + " is older than " + outcome.stored()
                        + ", which another holder of " + target.resource() + " has written since.";
        return target + refusal + target.leaseState() + " Acquire again and repeat the work."
                + (outcome.stored() != null && target.lease() == null ? FencedTarget.OTHER_RESOURCE : "");
    }
}
