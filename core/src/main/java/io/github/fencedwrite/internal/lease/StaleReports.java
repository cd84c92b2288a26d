package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.ExtensionResult;
import io.github.fencedwrite.PoisonedTokenException;
import io.github.fencedwrite.SeedMode;
import io.github.fencedwrite.StaleVerdict;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.redis.Clocks;
import io.github.fencedwrite.internal.redis.Node;
import io.github.fencedwrite.internal.redis.ResourceKeys;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What to do when a storage holds a greater token than a lease presents.
 *
 * <ol>
 *   <li>Ask the nodes, by an extension, whether a quorum still has the lock for this lease. If not, it is lost, and that
 *       explains the refusal.
 *   <li>If so, the counters have gone back further than the token could bear. Lift a quorum of them above what the storage
 *       holds, so that the next token passes.
 *   <li>Unless what the storage holds cannot be a token of these nodes: then it is the row that is wrong.
 * </ol>
 */
final class StaleReports {

    private static final long HIGHEST = (1L << 53) - (1L << 20);
    private static final long DAY = TimeUnit.DAYS.toMicros(1);

    private final LeaseClient client;
    private final SeedMode mode;

    StaleReports(LeaseClient client, SeedMode mode) {
        this.client = client;
        this.mode = mode;
    }

    StaleVerdict report(RedisLease lease, ResourceKeys keys, long stored) {
        if (!lease.isValid()) {
            return StaleVerdict.LOST;
        }
        if (stored == lease.token().value()) {
            return StaleVerdict.OWN_TOKEN;
        }
        if (lease.extend() != ExtensionResult.EXTENDED) {
            return lease.isValid() ? StaleVerdict.STALE : StaleVerdict.LOST;
        }
        long limit = limit();
        if (stored >= limit) {
            throw new PoisonedTokenException(lease.resource(), stored, limit);
        }
        Command.Lift lift = new Command.Lift(stored + 1);
        int lifted = 0;
        for (Answer answer : Broadcast.of(client.nodes(), keys, lift)) {
            lifted += answer instanceof Answer.Yes ? 1 : 0;
        }
        return lifted > client.nodes().size() / 2 ? StaleVerdict.LIFTED : StaleVerdict.STALE;
    }

    /** The furthest that seeds can have brought a counter: the TIME of the middle one of the nodes and a day. */
    private long limit() {
        if (mode == SeedMode.ZERO) {
            return HIGHEST;
        }
        List<Node> nodes = client.nodes().all();
        long[] ahead = nodes.stream().mapToLong(Node::clockAheadMicros).sorted().toArray();
        return Math.min(HIGHEST, Clocks.wallMicros() + ahead[ahead.length / 2] + DAY);
    }
}
