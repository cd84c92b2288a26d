package io.github.fencedwrite.internal.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * Tokens are unique, and each is greater than all that were complete when its attempt began. This holds
 *
 * <ul>
 *   <li>without any clock, as long as a quorum of the nodes that knew the token has not forgotten it. A node knows the token
 *       of an attempt if that attempt moved the counter there, or if the counter is beyond; that another attempt, not yet
 *       complete, moved the counter to the same number does not count;
 *   <li>beyond that, if attempts bring seeds, as long as the difference of the clients' clocks plus the longest attempt is
 *       less than the age of the counter when it was forgotten.
 * </ul>
 *
 * <p>Anything else is excused.
 */
final class TokenCheck {

    private static final long SLACK = Conditions.millis(1);

    private final World world;
    private final List<Exchange> complete = new ArrayList<>();
    private long leastOff = Long.MAX_VALUE;
    private long mostOff = Long.MIN_VALUE;
    private boolean excused;

    TokenCheck(World world) {
        this.world = world;
    }

    void wallClockIsOffBy(long nanos) {
        leastOff = Math.min(leastOff, nanos);
        mostOff = Math.max(mostOff, nanos);
    }

    boolean hasExcused() {
        return excused;
    }

    void completed(Exchange later) {
        for (Exchange earlier : complete) {
            if (earlier.heldAt <= later.begun) {
                if (later.token <= earlier.token && !isOrderExcused(earlier, later)) {
                    throw new Violation("token of " + later + " is not above that of " + earlier
                            + ", which was complete before it began");
                }
            } else if (later.token == earlier.token && !isSharingExcused(earlier, later)) {
                throw new Violation("the same token: " + earlier + " and " + later);
            }
        }
        complete.add(later);
    }

    private boolean isOrderExcused(Exchange earlier, Exchange later) {
        int knowing = 0;
        for (Server server : world.servers) {
            long lowest = later.countersAtBegin[server.index];
            for (Server.Forgetting forgetting : server.forgettings) {
                if (forgetting.time() >= later.begun) {
                    lowest = Math.min(lowest, forgetting.to());
                }
            }
            if (lowest >= earlier.token) {
                knowing |= 1 << server.index;
            }
        }
        int quorum = world.conditions.quorum();
        int forgetful = forgetful(earlier.token, earlier.begun);
        return excuse(Integer.bitCount(knowing) <= world.conditions.nodes() - quorum
                && Integer.bitCount(knowing | forgetful) >= quorum
                && isBeyondClocks(earlier, earlier.begun));
    }

    private boolean isSharingExcused(Exchange one, Exchange other) {
        long since = Math.min(one.begun, other.begun);
        int forgetful = forgetful(one.token, since);
        return excuse(isForgotten(one, forgetful) && isForgotten(other, forgetful) && isBeyondClocks(one, since));
    }

    private boolean isForgotten(Exchange exchange, int forgetful) {
        int quorum = world.conditions.quorum();
        int knew = exchange.moved;
        for (int i = 0; i < exchange.grants.length; i++) {
            knew |= exchange.grants[i] == exchange.token ? 1 << i : 0;
        }
        return Integer.bitCount(knew) >= quorum && Integer.bitCount(knew & ~forgetful) < quorum;
    }

    private boolean excuse(boolean yes) {
        excused |= yes;
        return yes;
    }

    /** The nodes whose counter fell below {@code token}. */
    private int forgetful(long token, long since) {
        int nodes = 0;
        for (Server server : world.servers) {
            if (server.forgettings.stream().anyMatch(f -> lets(f, token, since))) {
                nodes |= 1 << server.index;
            }
        }
        return nodes;
    }

    private static boolean lets(Server.Forgetting forgetting, long token, long since) {
        return forgetting.time() >= since && forgetting.from() >= token && forgetting.to() < token;
    }

    private boolean isBeyondClocks(Exchange earlier, long since) {
        if (!world.conditions.seeded()) {
            return true;
        }
        long forgotten = Long.MAX_VALUE;
        for (Server server : world.servers) {
            for (Server.Forgetting forgetting : server.forgettings) {
                if (lets(forgetting, earlier.token, since)) {
                    forgotten = Math.min(forgotten, forgetting.time());
                }
            }
        }
        long seeded = 0;
        long longest = 0;
        for (Exchange exchange : world.exchanges) {
            for (long grant : exchange.grants) {
                if (grant == exchange.seed && grant <= earlier.token) {
                    seeded = Math.max(seeded, exchange.begun);
                }
            }
            longest = Math.max(longest, Math.max(exchange.lastAcquireExecuted, exchange.heldAt) - exchange.begun);
        }
        return mostOff - leastOff + longest + SLACK >= forgotten - seeded;
    }
}
