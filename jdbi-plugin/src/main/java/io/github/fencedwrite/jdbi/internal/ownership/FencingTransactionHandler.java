package io.github.fencedwrite.jdbi.internal.ownership;

import java.sql.SQLException;
import java.util.function.BiFunction;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.StatementBuilder;
import org.jdbi.v3.core.transaction.DelegatingTransactionHandler;
import org.jdbi.v3.core.transaction.TransactionHandler;

/** Gives each handle its {@link HandleTransactions}, in front of the application's own transaction handler. */
public final class FencingTransactionHandler extends DelegatingTransactionHandler {

    private final BiFunction<StatementBuilder, HandleTransactions, StatementBuilder> builders;

    private FencingTransactionHandler(
            TransactionHandler delegate, BiFunction<StatementBuilder, HandleTransactions, StatementBuilder> builders) {
        super(delegate);
        this.builders = builders;
    }

    /**
     * Puts itself in front of the handler that {@code jdbi} has now; does nothing where it already is.
     *
     * @param builders puts a statement builder that knows of the handle's transactions in front of another one
     */
    public static void install(Jdbi jdbi, BiFunction<StatementBuilder, HandleTransactions, StatementBuilder> builders) {
        TransactionHandler handler = jdbi.getTransactionHandler();
        if (!(handler instanceof FencingTransactionHandler)) {
            jdbi.setTransactionHandler(new FencingTransactionHandler(handler, builders));
        }
    }

    @Override
    public TransactionHandler specialize(Handle handle) throws SQLException {
        HandleTransactions transactions =
                new HandleTransactions(getDelegate().specialize(handle), handle.getConnection());
        // the handle's own field for the handler cannot be read, that for the builder can
        handle.setStatementBuilder(builders.apply(handle.getStatementBuilder(), transactions));
        return transactions;
    }
}
