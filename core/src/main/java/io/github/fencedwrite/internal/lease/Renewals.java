package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.internal.redis.Background;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extends the leases that are due, many at a time, so that thousands of renewing leases cost little more than a few. Safe
 * for use by many threads.
 */
final class Renewals {

    private static final Logger log = LoggerFactory.getLogger(Renewals.class);
    /** Bounds what is written before anything is read, and for how long a release can find its lease being extended. */
    private static final int MOST_AT_ONCE = 64;

    private final LeaseClient client;
    private final Background background;
    private final Queue<LeaseKeeper> due = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean woken = new AtomicBoolean();

    Renewals(LeaseClient client) {
        this.client = client;
        this.background = client.nodes().background();
    }

    /** Has a lease extended soon; its keeper is told how that ended, unless it stopped meanwhile. Does not block. */
    void add(LeaseKeeper keeper) {
        due.add(keeper);
        wake();
    }

    private void wake() {
        if (woken.compareAndSet(false, true)) {
            background.run(this::extendSome);
        }
    }

    private void extendSome() {
        woken.set(false);
        List<LeaseKeeper> keepers = new ArrayList<>();
        for (LeaseKeeper next = due.poll(); next != null; next = due.poll()) {
            if (next.isDue()) {
                if (next.lease().beginExtension()) {
                    keepers.add(next);
                } else {
                    next.renewed(false);
                }
            }
            if (keepers.size() == MOST_AT_ONCE) {
                break;
            }
        }
        if (!due.isEmpty()) {
            // another worker takes the next ones, so that a slow node or listener does not hold up all leases
            wake();
        }
        if (!keepers.isEmpty()) {
            extend(keepers);
        }
    }

    private void extend(List<LeaseKeeper> keepers) {
        Set<LeaseKeeper> open = new LinkedHashSet<>(keepers);
        try {
            List<Conversation> conversations = keepers.stream()
                    .map(keeper -> keeper.lease().conversation())
                    .toList();
            client.extendTogether(conversations, (verdict, index) -> {
                LeaseKeeper keeper = keepers.get(index);
                open.remove(keeper);
                keeper.renewed(keeper.lease().endExtension(verdict));
            });
        } catch (RuntimeException e) {
            log.warn("{} leases could not be extended; trying again until their validity ends", open.size(), e);
        } finally {
            open.forEach(keeper -> keeper.renewed(keeper.lease().endExtension(null)));
        }
    }
}
