package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencedWriteException;
import org.jspecify.annotations.Nullable;

/** The table of a guarded statement is missing or has no usable token column. The message says what to run. */
public final class TableNotReadyException extends FencedWriteException {

    private static final long serialVersionUID = 1L;

    private final String table;

    private TableNotReadyException(String table, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.table = table;
    }

    /** The table, as the statement names it. */
    public String table() {
        return table;
    }

    /** The table does not exist. */
    public static TableNotReadyException missing(String table, Throwable cause) {
        return new TableNotReadyException(
                table,
                "There is no table " + table + " where this connection looks for it. Create it, "
                        + "or qualify its name with the schema, or mend search_path.",
                cause);
    }

    /** The table has no such column. */
    public static TableNotReadyException unprotected(String table, String column, Throwable cause) {
        return new TableNotReadyException(
                table,
                "Table " + table + " has no token column " + column + ". Add it in a migration, "
                        + "SELECT fencing.protect('" + table + "'), or name the right column with column = \"…\".",
                cause);
    }

    /** The column is NULL. */
    public static TableNotReadyException nullToken(String table, String column) {
        return new TableNotReadyException(
                table,
                "Column " + column + " of " + table + " is NULL in the row, so it can be compared "
                        + "with nothing. Set it to 0 and declare it NOT NULL DEFAULT 0; fencing.protect does so.",
                null);
    }

    /** The schema of the migrations is missing. */
    public static TableNotReadyException noFence(Throwable cause) {
        return new TableNotReadyException(
                "fencing.fence",
                "The fence table is not installed in this database. Run the migrations "
                        + "of fenced-write (FencingMigrations, or the plain SQL file), or use guarded and claimed rows, which do "
                        + "without.",
                cause);
    }

    /** The user may not use the fence table. */
    public static TableNotReadyException noAccess(Throwable cause) {
        return new TableNotReadyException(
                "fencing.fence",
                "This user may not use the fence table. As the owner of the schema fencing: SELECT fencing.grant_access('the "
                        + "user').",
                cause);
    }
}
