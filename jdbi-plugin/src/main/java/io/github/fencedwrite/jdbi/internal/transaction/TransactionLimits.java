package io.github.fencedwrite.jdbi.internal.transaction;

import io.github.fencedwrite.Lease;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How long a fenced transaction may keep others waiting: a holder who stops must not block the next one for longer than his
 * lease would. Set for the transaction only.
 */
final class TransactionLimits {

    private TransactionLimits() {}

    /** SQL expressions that set the limits to {@code value}, an expression of type text in milliseconds. */
    static String set(String value, String between) {
        return Stream.of("lock_timeout", "idle_in_transaction_session_timeout", "statement_timeout")
                .map(name -> "pg_catalog.set_config('" + name + "', " + value + ", true)")
                .collect(Collectors.joining(between));
    }

    /** The validity that is left, in milliseconds and 1 at least, since 0 would mean no limit. */
    static String patience(Lease lease) {
        return Long.toString(Math.max(1, lease.remaining().toMillis()));
    }
}
