package io.github.fencedwrite.jdbi;

import org.jspecify.annotations.Nullable;

/** Another holder with a newer token has written the row since; this write was refused. */
public final class StaleTokenException extends WriteNotAppliedException {

    private static final long serialVersionUID = 1L;

    StaleTokenException(WriteOutcome.Stale outcome, FencedTarget target, @Nullable Throwable cause) {
        super(message(outcome, target), target, outcome, cause);
    }

    private static String message(WriteOutcome.Stale outcome, FencedTarget target) {
        String than = outcome.stored() == null
                ? "the one of the row"
                : outcome.stored().toString();
        return target + " was not written: token " + outcome.presented() + " is older than " + than
                + ", which another holder of " + target.resource() + " has written since." + target.leaseState()
                + " Acquire again and repeat the work.";
    }
}
