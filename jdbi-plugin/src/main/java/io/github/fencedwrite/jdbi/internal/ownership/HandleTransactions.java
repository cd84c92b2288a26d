package io.github.fencedwrite.jdbi.internal.ownership;

import io.github.fencedwrite.jdbi.TransactionRolledBackException;
import io.github.fencedwrite.jdbi.internal.postgres.DriverConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.CMTTransactionHandler;
import org.jdbi.v3.core.transaction.DelegatingTransactionHandler;
import org.jdbi.v3.core.transaction.LocalTransactionHandler;
import org.jdbi.v3.core.transaction.SerializableTransactionRunner;
import org.jdbi.v3.core.transaction.TransactionException;
import org.jdbi.v3.core.transaction.TransactionHandler;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one handle: knows who began the present one, keeps commits and rollbacks out of fenced sections, and
 * refuses a commit that the server would answer with a rollback. Confined to the handle's thread.
 */
public final class HandleTransactions extends DelegatingTransactionHandler {

    /** A part of a transaction with a resource of its own, which must neither be committed nor rolled back inside. */
    public interface Section {

        /** What it is fenced for, for messages. */
        String resources();
    }

    /** Carries out the commit of a transaction that Fencing began. */
    public interface Committer {

        /** Calls {@code commit}; throws if it is certain that the transaction was not committed. */
        void commit(Runnable commit);

        /** Called ahead of all callbacks; throws if it is not certain that the transaction was committed. */
        void beforeCallbacks();
    }

    /** Puts back what a section has changed. */
    @FunctionalInterface
    public interface Restoration {

        /** Runs on the connection of the transaction, which is open and well. */
        void restore(Connection connection) throws SQLException;
    }

    private final Connection connection;
    private final boolean autoCommitAtOpen;
    private final boolean inContainer;
    private final boolean isJdbisOwn;
    private final Deque<Section> sections = new ArrayDeque<>();
    private final Deque<Restoration> overdue = new ArrayDeque<>();
    private boolean begun;
    private boolean ownedByFencing;
    private boolean guarded;
    private @Nullable Committer committer;

    HandleTransactions(TransactionHandler delegate, Connection connection) throws SQLException {
        super(delegate);
        this.connection = connection;
        this.autoCommitAtOpen = connection.getAutoCommit();
        this.inContainer = delegate instanceof CMTTransactionHandler;
        this.isJdbisOwn = delegate instanceof LocalTransactionHandler
                || delegate.getClass().getEnclosingClass() == LocalTransactionHandler.class
                || delegate.getClass() == SerializableTransactionRunner.class;
    }

    /** Who commits what is written now. */
    public TransactionOwner owner() throws SQLException {
        if (ownedByFencing) {
            return TransactionOwner.FENCING;
        } else if (connection.getAutoCommit()) {
            return TransactionOwner.NOBODY;
        } else if (begun || autoCommitAtOpen) {
            return TransactionOwner.CALLER;
        } else if (inContainer) {
            return TransactionOwner.CONTAINER;
        } else if (SpringTransactions.include(connection)) {
            return TransactionOwner.SPRING;
        }
        return DriverConnection.state(connection) == DriverConnection.State.IDLE
                ? TransactionOwner.NOBODY
                : TransactionOwner.NOBODY_BUT_OPEN;
    }

    /**
     * Called before each statement of the handle.
     *
     * @throws IllegalStateException if it is a guarded one that nobody would commit
     */
    public void beforeStatement(boolean isGuarded) throws SQLException {
        if (isGuarded) {
            requireOwner();
        }
        guarded |= isGuarded;
        restoreIfDue();
    }

    /** Puts back what sections have changed that ended while the transaction had failed, if it is well again by now. */
    public void restoreIfDue() throws SQLException {
        if (!overdue.isEmpty() && DriverConnection.state(connection) == DriverConnection.State.OPEN) {
            restoreOverdue();
        }
    }

    private void requireOwner() throws SQLException {
        TransactionOwner owner = owner();
        boolean isLeft = owner == TransactionOwner.NOBODY_BUT_OPEN
                || (owner == TransactionOwner.NOBODY && !connection.getAutoCommit());
        if (isLeft) {
            throw new IllegalStateException(
                    "The statement was not run, since nobody would commit it: the connection comes with "
                            + "autocommit off (autoCommit=false of a pool), and no transaction was begun. Jdbi begins none there either. "
                            + "Use Fencing.inTransaction, if need be withoutFenceRow(), or handle.begin(); or let the pool hand out "
                            + "connections with autocommit.");
        }
    }

    /** The section entered last and not left yet; null if there is none. */
    public @Nullable Section section() {
        return sections.peek();
    }

    /** Enters a section. */
    public void enter(Section section) {
        guarded = true;
        sections.push(section);
    }

    /** Leaves the section, so that the transaction can be ended. */
    public void leave(Section section) {
        sections.removeFirstOccurrence(section);
    }

    /** Puts back what a section has changed, now or as soon as a rollback to a savepoint has made the transaction well again. */
    public void restore(Restoration restoration) throws SQLException {
        // the outermost section ends last, and what was before it has the last word
        overdue.addLast(restoration);
        restoreIfDue();
    }

    private void restoreOverdue() throws SQLException {
        while (!overdue.isEmpty()) {
            overdue.removeFirst().restore(connection);
        }
    }

    /**
     * Begins a transaction for Fencing.
     *
     * @throws IllegalStateException if the application's handler does not begin any
     */
    public void beginFenced(Handle handle) throws SQLException {
        handle.begin();
        if (connection.getAutoCommit()) {
            begun = false;
            throw new IllegalStateException(
                    "No transaction is open, and " + getDelegate().getClass().getSimpleName()
                            + " begins none, so each statement would be committed by itself. Begin the transaction where the "
                            + "container does, or set another TransactionHandler on Jdbi.");
        }
        ownedByFencing = true;
        // Jdbi calls all of them whatever the commit throws; the first one can stop the others
        handle.afterCommit(() -> {
            if (committer != null) {
                committer.beforeCallbacks();
            }
        });
    }

    /** Commits by {@code by} what {@link #beginFenced} began; callbacks of the handle are told what came of it. */
    public void commitFenced(Handle handle, Committer by) {
        committer = by;
        try {
            handle.commit();
        } finally {
            committer = null;
        }
    }

    @Override
    public void begin(Handle handle) {
        super.begin(handle);
        if (!begun && !ownedByFencing) {
            begun = true;
            guarded = false;
        }
    }

    @Override
    public void commit(Handle handle) {
        refuseInside();
        if ((guarded || ownedByFencing) && DriverConnection.state(connection) == DriverConnection.State.FAILED) {
            handle.rollback();
            throw new TransactionRolledBackException();
        }
        try {
            if (committer == null) {
                super.commit(handle);
            } else {
                commit(handle, committer);
            }
        } finally {
            ended();
        }
    }

    private void commit(Handle handle, Committer by) {
        try {
            by.commit(() -> commitOnce(handle));
        } catch (RuntimeException e) {
            try {
                handle.rollback(); // for the callbacks
            } catch (RuntimeException rollback) {
                e.addSuppressed(rollback);
            }
            throw e;
        }
        if (isJdbisOwn && !DriverConnection.isLost(connection)) {
            super.commit(handle); // nothing goes to the server; the handler learns that the transaction is over
        }
    }

    /** Jdbi's own handler would take a lost answer for a rollback and tell the callbacks so. */
    private void commitOnce(Handle handle) {
        if (isJdbisOwn) {
            try {
                connection.commit();
            } catch (SQLException e) {
                throw new TransactionException("Failed to commit transaction", e);
            }
        } else {
            super.commit(handle);
        }
    }

    @Override
    public void rollback(Handle handle) {
        refuseInside();
        try {
            super.rollback(handle);
        } catch (RuntimeException e) {
            if (!DriverConnection.isLost(connection)) {
                throw e;
            }
            // gone with its connection, which is what was wanted; callbacks are to hear of it
        } finally {
            ended();
        }
    }

    private void ended() {
        begun = false;
        ownedByFencing = false;
        guarded = false;
        overdue.clear();
    }

    private void refuseInside() {
        Section section = sections.peek();
        if (section != null) {
            throw new IllegalStateException("The transaction is fenced for " + section.resources()
                    + " and can neither be committed nor rolled back inside its body. Leave that to Fencing: "
                    + "return to commit, throw to roll back.");
        }
    }
}
