package io.github.fencedwrite.jdbi.internal.postgres;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The codes of PostgreSQL that have a meaning here. */
public final class SqlStates {

    public static final String UNDEFINED_TABLE = "42P01";
    public static final String UNDEFINED_COLUMN = "42703";
    public static final String UNDEFINED_SCHEMA = "3F000";
    public static final String UNDEFINED_FUNCTION = "42883";
    public static final String UNIQUE_VIOLATION = "23505";
    public static final String INVALID_PARAMETER_VALUE = "22023";
    public static final String INSUFFICIENT_PRIVILEGE = "42501";
    public static final String IN_FAILED_TRANSACTION = "25P02";
    public static final String READ_ONLY_TRANSACTION = "25006";

    /** Raised by the triggers of fencing.enforce. */
    public static final String ENFORCED_STALE = "WF001";

    public static final String ENFORCED_CLASS = "WF0";

    /** Serialization failure, deadlock, lock not available, canceled, idle in transaction for too long. */
    private static final Set<String> RETRYABLE = Set.of("40001", "40P01", "55P03", "57014", "25P03");

    private static final String FEATURE_NOT_SUPPORTED = "0A000";

    /** What raises the error that a cached plan must not change its result type. */
    private static final String CACHED_PLAN = "RevalidateCachedQuery";

    private SqlStates() {}

    public static String of(SQLException e) {
        return e.getSQLState() == null ? "" : e.getSQLState();
    }

    /**
     * Whether the database asks for a repetition of the transaction. Of what is «not supported» that is true for a plan only
     * which a change of its table has made useless; anything else will not be supported the next time either.
     */
    public static boolean isRetryable(SQLException e) {
        String state = of(e);
        return RETRYABLE.contains(state)
                || (state.equals(FEATURE_NOT_SUPPORTED) && CACHED_PLAN.equals(ServerMessage.routine(e)));
    }

    /** Whether the connection is gone: class 08, or the server shut down or ended the session. */
    public static boolean isConnectionLost(String state) {
        return state.startsWith("08") || state.startsWith("57P0");
    }

    /** The first SQL exception among the causes of {@code thrown}, itself included; null if there is none. */
    public static @Nullable SQLException find(@Nullable Throwable thrown) {
        int depth = 0;
        for (Throwable cause = thrown; cause != null && depth < 20; cause = cause.getCause(), depth++) {
            if (cause instanceof SQLException sql) {
                return sql;
            }
        }
        return null;
    }
}
