package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.jdbi.WriteNotAppliedException;
import io.github.fencedwrite.jdbi.WriteOutcome;
import io.github.fencedwrite.jdbi.internal.postgres.SqlStates;
import io.github.fencedwrite.jdbi.internal.sql.Guarded;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The execution of a plain INSERT, whose key may be taken: by this very lease in an attempt before, by a newer holder, or by
 * somebody else. Only the row can tell, and a transaction answers nothing more after an error. So a savepoint is set where the
 * answer is wanted: if the call may be a repetition, or if its outcome is returned. That costs two round trips; other INSERTs in
 * a transaction leave the error as the database gave it.
 */
final class InsertAttempt {

    private final FencedCall call;
    private final @Nullable Connection transaction;
    private final @Nullable Savepoint savepoint;

    private InsertAttempt(FencedCall call, @Nullable Connection transaction) throws SQLException {
        this.call = call;
        this.transaction = transaction;
        this.savepoint = transaction == null ? null : transaction.setSavepoint();
    }

    /** Begins the attempt; null if the statement is none, or if nothing could be found out after an error. */
    static @Nullable InsertAttempt begin(FencedCall call, Connection connection) throws SQLException {
        RewriteCache.Entry entry = Objects.requireNonNull(call.entry());
        if (entry.guarded().kind() != Guarded.Kind.INSERT) {
            return null;
        }
        if (call.isAutoCommit()) {
            return new InsertAttempt(call, null);
        }
        return call.isRetry() || call.isSilent() ? new InsertAttempt(call, connection) : null;
    }

    /** Ends an attempt that met no error. */
    void succeeded() throws SQLException {
        if (transaction != null) {
            transaction.releaseSavepoint(savepoint);
        }
    }

    /**
     * Finds out what an error means; returns if it is explained and the caller gets the outcome.
     *
     * @throws WriteNotAppliedException if it is explained and the caller cannot get the outcome in another way
     * @throws SQLException the error itself, if it means what it says
     */
    void failed(SQLException error) throws SQLException {
        if (!SqlStates.of(error).equals(SqlStates.UNIQUE_VIOLATION)) {
            throw error;
        }
        WriteOutcome outcome = null;
        try {
            if (transaction != null) {
                transaction.rollback(savepoint);
                transaction.releaseSavepoint(savepoint);
            }
            outcome = OutcomeReader.duplicate(call, error);
        } catch (SQLException probing) {
            error.addSuppressed(probing);
        }
        if (outcome == null) {
            throw error;
        }
        call.finished(List.of(outcome));
        // what a first attempt has returned cannot be returned again
        boolean harmless = call.isRetry() && outcome instanceof WriteOutcome.AlreadyWritten && !call.returnsRows();
        if (!harmless && !call.isSilent()) {
            throw WriteNotAppliedException.of(outcome, call.target(0), error);
        }
    }
}
