package io.github.fencedwrite.jdbi.internal.sql;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Rows;

/**
 * How a statement is to be guarded.
 *
 * @param claim whether it is a SELECT that is to become a claim
 * @param mode what the row's token must be; of no meaning for a claim
 * @param rows how many rows it may hit
 * @param column the token column as the database names it, without quotes
 * @param announcing whether the statement also tells the strict triggers its token
 */
public record GuardSpec(boolean claim, FenceMode mode, Rows rows, String column, boolean announcing) {

    /** The column's usual name. */
    public static final String COLUMN = "last_token";

    /**
     * Checks the column.
     *
     * @throws IllegalArgumentException if {@code column} is empty or longer than PostgreSQL's 63 bytes
     */
    public GuardSpec {
        if (column.isEmpty() || column.getBytes(UTF_8).length > 63 || column.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("The token column is a name of 1 to 63 bytes in UTF-8, but this is \""
                    + column + "\". Use the one that was given to fencing.protect, " + COLUMN + " by default.");
        }
    }

    /** A guard of a write. */
    public static GuardSpec write(FenceMode mode, Rows rows, String column) {
        return new GuardSpec(false, mode, rows, column, false);
    }

    /** A claim. */
    public static GuardSpec claim(Rows rows, String column) {
        return new GuardSpec(true, FenceMode.CLAIMED, rows, column, false);
    }

    /** The same guard with or without announcing. */
    public GuardSpec withAnnouncing(boolean on) {
        return on == announcing ? this : new GuardSpec(claim, mode, rows, column, on);
    }

    /** The column as it must be written in SQL. */
    String quotedColumn() {
        return column.matches("[a-z_][a-z0-9_]*") ? column : '"' + column.replace("\"", "\"\"") + '"';
    }
}
