package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import org.jspecify.annotations.Nullable;

/**
 * What a guarded write was about.
 *
 * @param table the table, as the statement names it
 * @param key which row was meant, as {@code parameter=value, …}; empty if the statement does not tell
 * @param presented the token of the write
 * @param lease the lease that the token belongs to, null if only the token was given
 */
public record FencedTarget(
        String table,
        String key,
        FencingToken presented,
        @Nullable Lease lease) {

    /** The table with the key in parentheses. */
    @Override
    public String toString() {
        return key.isEmpty() ? table : table + "(" + key + ")";
    }

    /** A sentence on the state of the lease; empty if there is none. */
    String leaseState() {
        if (lease == null) {
            return "";
        }
        String ttl = " (ttl " + seconds(lease.ttl().toMillis()) + ")";
        return lease.isValid()
                ? " The lease still looks valid for "
                        + seconds(lease.remaining().toMillis()) + ttl + "."
                : " The lease has run out" + ttl + ".";
    }

    /** The resource in quotes where it is known. */
    String resource() {
        return lease == null ? "the resource" : '"' + lease.resource() + '"';
    }

    private static String seconds(long millis) {
        return millis % 1000 == 0 ? millis / 1000 + " s" : millis / 1000.0 + " s";
    }
}
