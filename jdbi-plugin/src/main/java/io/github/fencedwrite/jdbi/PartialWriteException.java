package io.github.fencedwrite.jdbi;

/** Of several rows that the statement meant, some carry a newer token. */
public final class PartialWriteException extends WriteNotAppliedException {

    private static final long serialVersionUID = 1L;

    PartialWriteException(WriteOutcome.Partial outcome, FencedTarget target) {
        super(
                target + " was written in part: token " + outcome.presented() + " wrote " + outcome.applied()
                        + " row(s), but " + outcome.stale()
                        + " row(s) carry a newer token. Roll back, acquire again and repeat the work.",
                target,
                outcome,
                null);
    }
}
