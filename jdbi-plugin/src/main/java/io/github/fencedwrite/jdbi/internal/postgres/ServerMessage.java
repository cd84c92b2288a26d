package io.github.fencedwrite.jdbi.internal.postgres;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an error beside its text, which is in the language of the server. Read from pgjdbc by reflection, so that the
 * driver is no dependency.
 */
public final class ServerMessage {

    private ServerMessage() {}

    /** The routine of the server that raised the error; null if the driver does not tell. */
    public static @Nullable String routine(SQLException e) {
        return field(e, "getRoutine");
    }

    /** The constraint that was violated, a partition's own if it was there; null if none was, or the driver does not tell. */
    public static @Nullable String constraint(SQLException e) {
        return field(e, "getConstraint");
    }

    /** The schema of the table that the error is about; null if it is about none, or the driver does not tell. */
    public static @Nullable String schema(SQLException e) {
        return field(e, "getSchema");
    }

    private static @Nullable String field(SQLException e, String getter) {
        try {
            Object message = e.getClass().getMethod("getServerErrorMessage").invoke(e);
            return message == null
                    ? null
                    : (String) message.getClass().getMethod(getter).invoke(message);
        } catch (ReflectiveOperationException | ClassCastException notFromThisDriver) {
            return null;
        }
    }
}
