package io.github.fencedwrite.jdbi;

import org.jspecify.annotations.Nullable;

/** The database gave up the transaction in a way that makes a repetition promising. */
public final class RetryableWriteException extends WriteNotAppliedException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the outcome; of use to tests of an application, too.
     *
     * @param target what the write was about
     */
    public RetryableWriteException(WriteOutcome.Retryable outcome, FencedTarget target, @Nullable Throwable cause) {
        super(
                target + " was not written: " + reason(outcome) + limit(outcome, target)
                        + " Roll back and repeat the transaction, with the same token while the lease is valid.",
                target,
                outcome,
                cause);
    }

    private static String reason(WriteOutcome.Retryable outcome) {
        return outcome.sqlState().isEmpty()
                ? "the row stands there, and its token allows the write. It was inserted anew while the statement waited for its "
                        + "predecessor; or, if this does not pass, a trigger, a rule or a policy withholds it."
                : "the database answered " + outcome.sqlState() + ".";
    }

    /** Which limit of a fenced transaction may have ended it, since the code alone does not tell where that comes from. */
    private static String limit(WriteOutcome.Retryable outcome, FencedTarget target) {
        String name =
                switch (outcome.sqlState()) {
                    case "57014" -> "statement_timeout";
                    case "55P03" -> "lock_timeout";
                    case "25P03" -> "idle_in_transaction_session_timeout";
                    default -> "";
                };
        if (name.isEmpty() || target.lease() == null) {
            return "";
        }
        String origin = outcome.sqlState().equals("25P03")
                ? "the time for which the lease was valid when the transaction began"
                : "the time for which the lease could last when the transaction began";
        return " If it was " + name + ": a fenced transaction sets that to " + origin
                + ", unless the session's own is smaller. Longer work needs a longer ttl, or a lease that is renewed.";
    }
}
