package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import java.time.Duration;
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

    static final String OTHER_RESOURCE =
            " If that happens again and again, the row is also written under another resource, whose "
                    + "tokens cannot be compared with these: give each resource a token column of its own.";

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
        String ttl = " (ttl " + text(lease.ttl()) + ").";
        if (lease.isValid()) {
            return " The lease still looks valid for " + text(lease.remaining()) + ttl;
        }
        Duration ago = lease.sinceExpiry();
        return ago.isZero() ? " The lease is no longer held" + ttl : " The lease ran out " + text(ago) + " ago" + ttl;
    }

    /** The resource in quotes where it is known. */
    String resource() {
        return lease == null ? "the resource" : '"' + lease.resource() + '"';
    }

    /** As people say it: 40 ms, 4.2 s, 10 s. */
    private static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 1_000) {
            return millis + " ms";
        }
        long tenths = millis / 100;
        return tenths / 10 + (tenths % 10 == 0 ? "" : "." + tenths % 10) + " s";
    }
}
