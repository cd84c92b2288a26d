package io.github.fencedwrite.internal.lease;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leases of this client that were not given back yet, at most one per resource. Those that ran out are forgotten now
 * and then. Safe for use by many threads.
 */
final class HeldLeases {

    private static final Logger log = LoggerFactory.getLogger(HeldLeases.class);
    private static final int FIRST_CLEANUP = 1_024;
    private static final int MOST_NAMED = 20;

    private final Map<String, RedisLease> leases = new ConcurrentHashMap<>();
    private final AtomicInteger cleanupAt = new AtomicInteger(FIRST_CLEANUP);

    void add(RedisLease lease) {
        leases.put(lease.resource(), lease);
        int limit = cleanupAt.get();
        if (leases.size() > limit && cleanupAt.compareAndSet(limit, Integer.MAX_VALUE)) {
            leases.values().removeIf(old -> !old.isValid());
            cleanupAt.set(Math.max(FIRST_CLEANUP, 2 * leases.size()));
        }
    }

    void remove(RedisLease lease) {
        leases.remove(lease.resource(), lease);
    }

    /** Whether this very client holds {@code resource}, so that an attempt would be in vain. */
    boolean holds(String resource) {
        return of(resource) != null;
    }

    /** The lease by which this very client holds {@code resource}, or null. */
    @Nullable RedisLease of(String resource) {
        RedisLease lease = leases.get(resource);
        return lease != null && lease.isValid() ? lease : null;
    }

    List<RedisLease> valid() {
        return leases.values().stream().filter(RedisLease::isValid).toList();
    }

    void forgetAll() {
        leases.clear();
    }

    /** Names leases that could not be released when the client was closed. */
    static void report(List<RedisLease> left) {
        for (RedisLease lease : left.subList(0, Math.min(left.size(), MOST_NAMED))) {
            log.warn(
                    "The client was closed while {} was held; it runs out in {} ms",
                    lease,
                    lease.remaining().toMillis());
        }
        if (left.size() > MOST_NAMED) {
            log.warn("The client was closed while {} more leases were held", left.size() - MOST_NAMED);
        }
    }
}
