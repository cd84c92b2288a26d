package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import io.github.fencedwrite.jdbi.internal.statement.FencingStatementBuilder;
import io.github.fencedwrite.jdbi.internal.statement.PresentedToken;
import io.github.fencedwrite.jdbi.internal.statement.Scope;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.HandleConsumer;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Guards the statements of code that cannot take a token: every UPDATE, INSERT and DELETE on the listed tables is rewritten or
 * refused while the scope lasts, and every one on another table is refused unless the table is named unfenced.
 *
 * <p>Made with {@link Fencing#guarding(Lease)}; immutable, each method returns a new scope. It covers the statements that go
 * through the thread's handle of the Jdbi it was made for, SQL Objects included. It cannot see what functions write, nor what is
 * done with {@code Handle.getConnection()} or with a handle opened in between. Scripts, plain batches and calls are refused.
 */
public final class GuardingScope {

    private final Jdbi jdbi;
    private final Scope scope;

    GuardingScope(Jdbi jdbi, PresentedToken token) {
        this(jdbi, Scope.of(token));
    }

    private GuardingScope(Jdbi jdbi, Scope scope) {
        this.jdbi = jdbi;
        this.scope = scope;
    }

    /**
     * Adds a table whose statements each hit one row at most.
     *
     * @param name as it is written in SQL, with or without its schema
     * @param mode what is expected of the rows' tokens
     */
    public GuardingScope table(String name, FenceMode mode) {
        return table(name, mode, Rows.ONE, GuardSpec.COLUMN);
    }

    /**
     * Adds a table.
     *
     * @param name as it is written in SQL, with or without its schema
     * @param mode what is expected of the rows' tokens
     * @param rows how many rows a statement covers
     * @param column the token column
     */
    public GuardingScope table(String name, FenceMode mode, Rows rows, String column) {
        return new GuardingScope(jdbi, scope.withTable(name, GuardSpec.write(mode, rows, column)));
    }

    /**
     * Names a table that may be written without a guard.
     *
     * @param name as it is written in SQL, with or without its schema
     */
    public GuardingScope unfenced(String name) {
        return new GuardingScope(jdbi, scope.withTable(name, null));
    }

    /**
     * Runs {@code body} with all of this in force; scopes do not nest.
     *
     * @throws WriteNotAppliedException for every outcome of a statement but applied and not found
     * @throws StatementRefusedException if a statement cannot be guarded or its table is not listed
     * @throws IllegalStateException inside another scope
     * @throws X what the body throws
     */
    public <R extends @Nullable Object, X extends Exception> R run(HandleCallback<R, X> body) throws X {
        return jdbi.withHandle(handle -> FencingStatementBuilder.guard(handle, scope, body));
    }

    /** As {@link #run}, for a body that returns nothing. */
    public <X extends Exception> void use(HandleConsumer<X> body) throws X {
        run(body.asCallback());
    }
}
