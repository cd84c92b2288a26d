package io.github.fencedwrite.jdbi.internal.transaction;

import io.github.fencedwrite.Lease;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/**
 * How long a fenced transaction may keep others waiting: a holder who stops must not block the next one for longer than his
 * lease would. A statement, and a wait for a lock, may take as long as the lease can last; the time between two statements is
 * limited by its validity, since nobody but the holder can renew it. Limits that the session has already are kept where they
 * are smaller. Set for the transaction only.
 */
final class TransactionLimits {

    /** Declares the parameters that {@link #bind} sets, as columns of a subquery named {@code p}. */
    static final String PARAMETERS = "?::text AS lifetime, ?::text AS validity";

    private static final long MAX_MILLIS = Integer.MAX_VALUE; // as PostgreSQL has it

    private TransactionLimits() {}

    /** SQL expressions of type text that set the limits, from the columns of {@code p}. */
    static String set(String between) {
        return set("lock_timeout", "p.lifetime")
                + between
                + set("statement_timeout", "p.lifetime")
                + between
                + set("idle_in_transaction_session_timeout", "p.validity");
    }

    private static String set(String name, String limit) {
        String own = "pg_catalog.current_setting('" + name + "')";
        return "pg_catalog.set_config('" + name + "', CASE WHEN " + own + "::interval > '0' AND " + own
                + "::interval < " + limit + "::interval THEN " + own + " ELSE " + limit + " END, true)";
    }

    /** Sets the parameters from position {@code first} on. */
    static void bind(PreparedStatement statement, int first, Lease lease) throws SQLException {
        statement.setString(first, text(lease.remainingLifetime()));
        statement.setString(first + 1, text(lease.remaining()));
    }

    /** At least 1, since 0 would mean no limit. */
    private static String text(Duration duration) {
        return Math.max(1, Math.min(MAX_MILLIS, duration.toMillis())) + "ms";
    }
}
