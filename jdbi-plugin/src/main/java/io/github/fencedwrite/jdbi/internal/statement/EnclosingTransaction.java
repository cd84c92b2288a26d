package io.github.fencedwrite.jdbi.internal.statement;

import java.sql.Connection;
import java.sql.SQLException;

/** The fenced transaction in which statements are prepared, as far as these have to know it. */
public interface EnclosingTransaction {

    /**
     * Called before each statement of the handle is prepared, and once more at the end of the body.
     *
     * @throws IllegalStateException if the transaction was committed or rolled back, so that nothing may be written in it
     */
    void beforeStatement(Connection connection) throws SQLException;
}
