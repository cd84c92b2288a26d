package io.github.fencedwrite.internal.lease;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The leases that were not given back yet. Those that ran out are forgotten now and then. Safe for use by many threads. */
final class LeasesInHand {

    private static final Logger log = LoggerFactory.getLogger(LeasesInHand.class);
    private static final int FIRST_CLEANUP = 1_024;

    private final Set<RedisLease> leases = ConcurrentHashMap.newKeySet();
    private final AtomicInteger cleanupAt = new AtomicInteger(FIRST_CLEANUP);

    void add(RedisLease lease) {
        leases.add(lease);
        int limit = cleanupAt.get();
        if (leases.size() > limit && cleanupAt.compareAndSet(limit, Integer.MAX_VALUE)) {
            leases.removeIf(old -> !old.isValid());
            cleanupAt.set(Math.max(FIRST_CLEANUP, 2 * leases.size()));
        }
    }

    void remove(RedisLease lease) {
        leases.remove(lease);
    }

    List<RedisLease> valid() {
        return leases.stream().filter(RedisLease::isValid).toList();
    }

    void report() {
        for (RedisLease lease : valid()) {
            log.warn(
                    "The client was closed while {} was held; it runs out in {} ms",
                    lease,
                    lease.remaining().toMillis());
        }
    }
}
