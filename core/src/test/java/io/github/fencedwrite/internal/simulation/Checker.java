package io.github.fencedwrite.internal.simulation;

import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.protocol.OwnerId;
import io.github.fencedwrite.internal.protocol.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * The promises, checked with the knowledge of all nodes and of true time.
 *
 * <ul>
 *   <li>No two leases are valid at one moment, and none for longer than a quorum of nodes holds its lock. Only where locks
 *       run out by time and at the right one.
 *   <li>Tokens: see {@link TokenCheck}. Each node whose connection works knows a token soon after it was agreed on.
 *   <li>An extension is carried only by nodes that still had the lock, and only before the old validity ends.
 *   <li>A release deletes no lock of another lease that is valid.
 *   <li>Once nodes and network work again, no lock of an attempt that ended is left, with two exceptions; after ttl no lock; after the retention
 *       nothing.
 * </ul>
 */
final class Checker {

    private final World world;
    private final TokenCheck tokens;
    private long lastUsed;
    int leases;
    int slowLeases;
    int extensions;

    Checker(World world) {
        this.world = world;
        this.tokens = new TokenCheck(world);
    }

    void wallClockIsOffBy(long nanos) {
        tokens.wallClockIsOffBy(nanos);
    }

    void executed(
            Server server,
            Connection.Message message,
            long counterBefore,
            @Nullable OwnerId lockBefore,
            @Nullable Exchange setterBefore,
            Answer answer) {
        Exchange exchange = message.exchange();
        Command command = message.command();
        if (command instanceof Command.Acquire) {
            exchange.lastAcquireExecuted = world.agenda.now();
            if (answer instanceof Answer.Granted grant) {
                exchange.grants[server.index] = grant.counter();
            }
        } else if ((command instanceof Command.Raise && answer instanceof Answer.Yes)
                || ((command instanceof Command.Lift || command instanceof Command.TopUp)
                        && server.counter() > counterBefore)) {
            exchange.moved |= 1 << server.index;
        } else if (command instanceof Command.Extend extend) {
            if (extend.round() > exchange.extendedRound) {
                exchange.extendedRound = extend.round();
                exchange.extendedWhereMine = 0;
            }
            if (extend.round() == exchange.extendedRound && setterBefore == exchange && lockBefore != null) {
                exchange.extendedWhereMine |= 1 << server.index;
            }
        } else if (command instanceof Command.Release
                && answer instanceof Answer.Yes
                && setterBefore != null
                && setterBefore != exchange
                && setterBefore.isValid()) {
            throw new Violation("the release of " + exchange + " deleted the lock of the valid lease " + setterBefore);
        }
    }

    void held(Exchange lease, Verdict.Held verdict) {
        leases++;
        if (!verdict.fast()) {
            slowLeases++;
        }
        lease.heldAt = world.agenda.now();
        lease.token = verdict.token();
        lease.validUntil = verdict.validUntil();
        if (!lease.isValid()) {
            throw new Violation(lease + " is held without validity");
        }
        tokens.completed(lease);
        if (world.conditions.exclusive()) {
            for (Exchange other : world.exchanges) {
                if (other != lease && other.isValid()) {
                    throw new Violation("two valid leases: " + other + " and " + lease);
                }
            }
        }
        checkCover(lease);
        for (Server server : world.servers) {
            expectToken(lease, server);
        }
    }

    void extended(Exchange lease, long validUntil) {
        extensions++;
        if (!lease.isValid()) {
            throw new Violation(lease + " was lost and became valid again");
        }
        if (Integer.bitCount(lease.extendedWhereMine) < world.conditions.quorum()) {
            throw new Violation(lease + " was extended, but not by a quorum of nodes that still had its lock");
        }
        lease.validUntil = validUntil;
        checkCover(lease);
    }

    /** As long as the lease is valid, a quorum holds its lock, or did until a node lost it. */
    private void checkCover(Exchange lease) {
        if (!world.conditions.exclusive()) {
            return;
        }
        long end = lease.leaseClock().whenItShows(lease.validUntil);
        int covering = 0;
        for (Server server : world.servers) {
            if (server.lastLoss >= lease.begun || (server.holder() == lease && server.lockEnds() >= end)) {
                covering++;
            }
        }
        if (covering < world.conditions.quorum()) {
            throw new Violation(lease + " is valid for longer than a quorum holds its lock");
        }
    }

    /** The lift to all: where the connection works, the node soon knows the token. */
    private void expectToken(Exchange lease, Server server) {
        Connection connection = lease.client.links[server.index].connection();
        if (connection == null || server.counter() <= 0) {
            return;
        }
        long paused = lease.client.paused();
        lease.client.after(4 * world.conditions.timeout(), () -> {
            boolean worked = !connection.closed
                    && !connection.dead
                    && server.forgettings.stream().noneMatch(f -> f.time() >= lease.begun)
                    && paused == lease.client.paused();
            if (worked && server.counter() < lease.token) {
                throw new Violation("node " + server.index + " was never lifted to the token of " + lease);
            }
        });
    }

    /** The holder writes to the database, which refuses a token lower than one it has seen. */
    void used(Exchange lease) {
        if (!lease.isValid() || !world.conditions.exclusive() || tokens.hasExcused()) {
            return;
        }
        if (lease.token < lastUsed) {
            throw new Violation(lease + " is valid, but its write is refused: " + lastUsed + " was there before");
        }
        lastUsed = lease.token;
    }

    void settled() {
        for (Client client : world.clients) {
            client.checkIdle();
        }
        for (Server server : world.servers) {
            Exchange holder = server.holder();
            if (holder != null && holder.endedAt >= 0 && !holder.orphaned && !isExcused(server, holder)) {
                throw new Violation("node " + server.index + " answers, but still has the lock of " + holder);
            }
        }
    }

    /**
     * An older snapshot brought the lock back; or what a closed connection had left was executed when the release had been
     * repeated for ttl already. Such a lock runs out by itself.
     */
    private static boolean isExcused(Server server, Exchange holder) {
        long repeated = Conditions.millis(holder.ttlMillis) * 98 / 100;
        return server.lastLoss >= holder.begun || server.lockSetAt >= holder.endedAt + repeated;
    }

    void locksRanOut() {
        for (Server server : world.servers) {
            if (server.lock() != null) {
                throw new Violation("node " + server.index + " has a lock for ever: " + server.holder());
            }
        }
    }

    void nothingIsLeft() {
        for (Server server : world.servers) {
            if (server.counter() != 0) {
                throw new Violation("node " + server.index + " has a counter for ever");
            }
        }
    }
}
