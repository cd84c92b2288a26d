package io.github.fencedwrite.internal.simulation;

import io.github.fencedwrite.internal.protocol.Event;
import io.github.fencedwrite.internal.protocol.OwnerId;
import io.github.fencedwrite.internal.protocol.Verdict;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A client process with one user, who acquires, holds, renews, uses and releases leases of one resource. It has a monotonic
 * and a wall clock of its own, may pause at any moment, and may die.
 */
final class Client {

    private static final int OUTVOTED_TRIES = 5;
    private static final long SLACK = Conditions.millis(1);

    final World world;
    final int index;
    final Clock monotonic;
    final Clock wall;
    Link[] links;
    private final SplittableRandom random;
    private long pausedUntil;
    private long paused;
    private int incarnation;
    private int attempts;

    private long acquisitionBegun;
    private long wait;
    private int ttlMillis;
    private int outvoted;
    private OwnerId ownerOfAcquisition = new OwnerId("none");
    private @Nullable Exchange exchange;
    private @Nullable Operation operation;

    Client(World world, int index, Clock monotonic, Clock wall) {
        this.world = world;
        this.index = index;
        this.monotonic = monotonic;
        this.wall = wall;
        this.random = world.random;
        this.links = world.newLinks(this);
    }

    long now() {
        return monotonic.at(world.agenda.now());
    }

    /** Runs {@code what} now, or when the pause is over. */
    void whenRunning(Runnable what) {
        if (world.agenda.now() < pausedUntil) {
            world.agenda.at(pausedUntil, () -> whenRunning(what));
        } else {
            what.run();
        }
    }

    /** Runs {@code what} after a time on the monotonic clock, unless the process is gone by then. */
    void after(long nanos, Runnable what) {
        int born = incarnation;
        world.agenda.in(
                monotonic.trueDuration(Math.max(0, nanos)),
                () -> whenRunning(() -> {
                    if (born == incarnation) {
                        what.run();
                    }
                }));
    }

    void pause(long nanos) {
        long until = world.agenda.now() + nanos;
        if (until > pausedUntil) {
            paused += until - Math.max(pausedUntil, world.agenda.now());
            pausedUntil = until;
        }
    }

    /** Time lost in pauses so far. */
    long paused() {
        return paused;
    }

    boolean isPaused() {
        return world.agenda.now() < pausedUntil;
    }

    /** The process dies and another one starts, which knows nothing. */
    void restart() {
        incarnation++;
        pausedUntil = 0;
        for (Exchange own : world.exchanges) {
            if (own.client == this) {
                own.orphaned = true;
                own.over = true;
            }
        }
        exchange = null;
        operation = null;
        Arrays.stream(links).forEach(Link::shut);
        links = world.newLinks(this);
        connect();
        think();
    }

    void connect() {
        for (Link link : links) {
            link.probeAfter(0);
        }
    }

    /** Begins something after a while. */
    void think() {
        int most = world.conditions.frantic() ? 2 : random.nextInt(4) == 0 ? 200 : 20;
        after(random.nextLong(Conditions.millis(most)), this::acquire);
    }

    private void acquire() {
        if (!world.isBusy()) {
            return;
        }
        acquisitionBegun = now();
        wait = random.nextBoolean() ? 0 : Conditions.millis(1 + random.nextInt(300));
        ttlMillis = Math.min(10 + random.nextInt(world.conditions.maxTtlMillis()), world.conditions.maxTtlMillis());
        outvoted = 0;
        ownerOfAcquisition = newOwner();
        attempt();
    }

    private void attempt() {
        if (!world.isBusy()) {
            return;
        }
        OwnerId owner = world.variant == Variant.OWNER_ID_REUSED ? ownerOfAcquisition : newOwner();
        long seed = world.conditions.seeded() && world.variant != Variant.NO_SEED
                ? TimeUnit.NANOSECONDS.toMicros(wall.at(world.agenda.now()))
                : 0;
        Exchange next = new Exchange(this, owner.text(), owner, ttlMillis, seed, serversToAsk());
        if (next.isWithoutServers()) {
            think();
            return;
        }
        world.exchanges.add(next);
        world.say("client " + index + " begins " + next);
        exchange = next;
        long left = wait - (now() - acquisitionBegun);
        expect(
                wait == 0
                        ? 2 * world.conditions.timeout()
                        : Math.min(Math.max(0, left), 2 * world.conditions.timeout()));
        if (wait > 0) {
            after(left, () -> giveUp(next));
        }
        next.feed(new Event.Begin());
    }

    private int[] serversToAsk() {
        return IntStream.range(0, links.length)
                .filter(i -> world.variant != Variant.QUORUM_OF_REACHABLE_NODES || links[i].connection() != null)
                .toArray();
    }

    private OwnerId newOwner() {
        return new OwnerId("c" + index + "-" + ++attempts);
    }

    private void giveUp(Exchange which) {
        if (which == exchange && which.heldAt < 0 && !which.over) {
            which.feed(new Event.GiveUp());
        }
    }

    void decided(Exchange which, Verdict verdict) {
        if (which.orphaned) {
            return;
        }
        if (world.trace.isOn()) {
            world.say("  " + which.name + " of client " + index + ": " + verdict);
        }
        checkWait(which);
        if (verdict instanceof Verdict.Held held) {
            world.checker.held(which, held);
            hold(which);
        } else if (verdict instanceof Verdict.Refused refused) {
            which.over = true;
            which.endedAt = world.agenda.now();
            refused(refused);
        } else if (verdict instanceof Verdict.Extended extended) {
            world.checker.extended(which, extended.validUntil());
            watchValidity(which);
        } else if (verdict instanceof Verdict.Lost) {
            which.over = true;
        } else if (verdict instanceof Verdict.Released) {
            which.endedAt = world.agenda.now();
            if (which == exchange) {
                exchange = null;
                think();
            }
        }
    }

    private void refused(Verdict.Refused refused) {
        exchange = null;
        boolean again = refused.reason() == Verdict.Refusal.OUTVOTED && ++outvoted < OUTVOTED_TRIES;
        long left = wait - (now() - acquisitionBegun);
        if (!world.isBusy() || (!again && left <= 0)) {
            think();
        } else if (again) {
            after(0, this::attempt);
        } else {
            int most = (int) Math.min(100, Math.max(5, refused.retryAfterMillis()));
            int bound = refused.retryAfterMillis() == 0 ? 100 : most;
            after(Math.min(left, Conditions.millis(5 + random.nextInt(bound - 4))), this::attempt);
        }
    }

    private void hold(Exchange lease) {
        long ttl = Conditions.millis(ttlMillis);
        long brief = Conditions.millis(world.conditions.frantic() ? 2 : 40);
        long holding = random.nextInt(3) == 0 && !world.conditions.frantic()
                ? random.nextLong(2 * ttl)
                : random.nextLong(brief);
        if (random.nextInt(10) == 0) {
            world.say("client " + index + " will never release " + lease.name);
            after(holding, () -> abandon(lease));
        } else {
            after(holding, () -> release(lease));
        }
        if (random.nextBoolean()) {
            after(ttl / 3, () -> extend(lease));
        }
        after(random.nextLong(ttl), () -> world.checker.used(lease));
        watchValidity(lease);
    }

    private void watchValidity(Exchange lease) {
        after(lease.validUntil - lease.leaseClock().at(world.agenda.now()), () -> {
            if (lease == exchange) {
                lease.feed(new Event.Tick());
            }
        });
    }

    private void extend(Exchange lease) {
        if (lease == exchange && !lease.over && world.isBusy()) {
            expect(world.conditions.timeout());
            lease.feed(new Event.Extend());
            after(Conditions.millis(ttlMillis) / 3, () -> extend(lease));
        }
    }

    private void release(Exchange lease) {
        if (lease == exchange && !lease.isReleasing()) {
            expect(world.conditions.timeout());
            lease.release();
        }
    }

    private void abandon(Exchange lease) {
        if (lease == exchange) {
            exchange = null;
            operation = null;
            think();
        }
    }

    /** The time of activity is over: what is under way comes to its end. */
    void finish() {
        Exchange open = exchange;
        if (open != null && open.heldAt >= 0) {
            release(open);
        } else if (open != null) {
            giveUp(open);
        }
    }

    private void expect(long bound) {
        operation = new Operation(now(), bound + SLACK, paused);
    }

    private void checkWait(Exchange which) {
        Operation open = which == exchange ? operation : null;
        if (open != null) {
            long took = now() - open.begun - (long) ((paused - open.pausedBefore) * 1.01);
            if (took > open.bound) {
                throw new Violation(which + " took " + took / 1e6 + " ms to decide, not " + open.bound / 1e6);
            }
            operation = null;
        }
    }

    /** Everything has been decided. */
    void checkIdle() {
        if (operation != null && exchange != null) {
            throw new Violation(exchange + " never decided");
        }
    }

    /** Something that has to be decided in time; bound without pauses of the client. */
    private record Operation(long begun, long bound, long pausedBefore) {}
}
