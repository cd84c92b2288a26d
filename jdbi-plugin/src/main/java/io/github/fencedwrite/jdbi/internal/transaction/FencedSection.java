package io.github.fencedwrite.jdbi.internal.transaction;

import io.github.fencedwrite.jdbi.internal.statement.EnclosingTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A fenced transaction as its handle knows it: entered through the fence row, or opened before its first statement where no row
 * is taken, and over as soon as somebody commits or rolls back. Confined to a thread.
 */
final class FencedSection implements EnclosingTransaction {

    private final FenceRow row;
    private final boolean takesRow;
    private @Nullable Opening opening;
    private boolean opened;
    private @Nullable ServerTransaction transaction;
    private boolean over;

    FencedSection(FenceRow row, boolean takesRow) {
        this.row = row;
        this.takesRow = takesRow;
    }

    boolean isOf(FenceRow other) {
        return row.resource().equals(other.resource()) && row.token().equals(other.token());
    }

    /** Enters in the transaction that has just begun, or in one that is open already. */
    void enter(Handle handle) throws SQLException {
        handle.afterCommit(() -> over = true);
        handle.afterRollback(() -> over = true);
        restore(handle.getConnection());
    }

    /** Makes the token and the limits those of this section, at first or after a nested one. */
    void restore(Connection connection) throws SQLException {
        if (takesRow) {
            transaction = row.enter(connection);
        } else {
            opening = new Opening(row.lease());
            opened = false;
        }
    }

    /** Refuses to go on behind the end of the transaction, and sends what has still to be sent. */
    @Override
    public void beforeStatement(Connection connection) throws SQLException {
        requireOpen();
        if (opening != null && !opened) {
            opened = true;
            opening.send(connection);
        }
    }

    /** The transaction as the server knows it; null before it was answered. */
    @Nullable ServerTransaction transaction() {
        return opening == null ? transaction : opening.transaction();
    }

    private void requireOpen() {
        if (over) {
            throw new IllegalStateException("The transaction that is fenced for \"" + row.resource()
                    + "\" was committed or rolled back inside its body, so nothing more may be written in it. Leave "
                    + "that to Fencing: return to commit, throw to roll back.");
        }
    }
}
