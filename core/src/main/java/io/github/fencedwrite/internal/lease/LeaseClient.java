package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.NodeStatus;
import io.github.fencedwrite.StaleVerdict;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.protocol.Event;
import io.github.fencedwrite.internal.protocol.OwnerId;
import io.github.fencedwrite.internal.protocol.Verdict;
import io.github.fencedwrite.internal.redis.Node;
import io.github.fencedwrite.internal.redis.ResourceKeys;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What all acquisitions and leases of one client share. Every operation on the nodes takes a permit, so that each node needs
 * one connection at most per operation under way. Safe for use by many threads.
 */
public final class LeaseClient implements AutoCloseable {

    private static final SecureRandom random = new SecureRandom();

    private final NodeSet nodes;
    private final Settings settings;
    private final Announcer announcer;
    private final Seeds seeds;
    private final Refusals refusals;
    private final Semaphore permits;
    private final LeasesInHand leases = new LeasesInHand();
    private final Set<AsyncAcquisition> asynchronous = ConcurrentHashMap.newKeySet();
    private final WaitQueue queue;
    private final Waiting waiting;
    private final StaleReports staleReports;
    private final Renewals renewals;
    private final Wakeups wakeups;

    public LeaseClient(NodeSet nodes, Settings settings) {
        this.nodes = nodes;
        this.settings = settings;
        this.announcer = new Announcer(settings.listener(), settings.callbacks());
        this.seeds = new Seeds(settings.seedMode(), nodes.all());
        this.refusals = new Refusals(nodes.all());
        this.permits = new Semaphore(settings.concurrency());
        this.wakeups = new Wakeups(nodes.all(), nodes.background(), settings.prefix());
        this.queue = new WaitQueue(wakeups);
        this.waiting = new Waiting(queue, leases, refusals);
        this.staleReports = new StaleReports(this, settings.seedMode());
        this.renewals = new Renewals(this);
        wakeups.listen(queue::hint);
    }

    /**
     * Acquires a lock on the caller's thread.
     *
     * @throws LockNotAcquiredException if the lock could not be taken
     */
    public Lease acquire(LeaseSpec spec) {
        Acquisition acquisition = new Acquisition(this, spec);
        try {
            return waiting.acquire(acquisition);
        } catch (LockNotAcquiredException e) {
            announcer.refused(e, acquisition.elapsed());
            throw e;
        }
    }

    /** Acquires a lock on the client's own threads. */
    public CompletableFuture<Lease> acquireAsync(LeaseSpec spec) {
        Acquisition acquisition = new Acquisition(this, spec);
        AsyncAcquisition waiter = new AsyncAcquisition(acquisition, queue, leases, nodes.background());
        asynchronous.add(waiter);
        CompletableFuture<Lease> future = waiter.start();
        if (nodes.background().isClosed()) {
            waiter.clientClosed();
        }
        var unused = future.whenComplete((lease, thrown) -> {
            asynchronous.remove(waiter);
            if (thrown instanceof LockNotAcquiredException refusal) {
                announcer.refused(refusal, acquisition.elapsed());
            }
        });
        return future;
    }

    void ensureUsable(String resource) {
        if (nodes.background().isClosed()) {
            throw new IllegalStateException("This client is closed. Build a new one.");
        }
        for (Node node : nodes.all()) {
            String objection = node.objection();
            if (objection != null) {
                throw refusals.misconfigured(resource, objection);
            }
        }
        String objection = seeds.objection();
        if (objection != null) {
            throw refusals.misconfigured(resource, objection);
        }
    }

    Conversation newConversation(LeaseSpec spec) {
        ResourceKeys keys = new ResourceKeys(settings.prefix(), spec.resource());
        long drift = settings.driftOf(spec.ttlMillis());
        return new Conversation(nodes, keys, newOwner(), spec.ttlMillis(), drift, seeds.next());
    }

    private static OwnerId newOwner() {
        byte[] bits = new byte[16];
        random.nextBytes(bits);
        return new OwnerId(HexFormat.of().formatHex(bits));
    }

    /** How long an operation without a bound of its own waits for a permit. */
    long patience() {
        return settings.timeoutNanos();
    }

    /** Runs an attempt under a permit. */
    Verdict begin(LeaseSpec spec, Conversation conversation, @Nullable Long giveUpAt, long patienceNanos) {
        try {
            if (!permits.tryAcquire(patienceNanos, TimeUnit.NANOSECONDS)) {
                throw refusals.exhausted(spec.resource(), settings.concurrency());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refusals.interrupted(spec.resource(), e);
        }
        try {
            return conversation.perform(new Event.Begin(), giveUpAt, true);
        } finally {
            permits.release();
        }
    }

    RedisLease hold(LeaseSpec spec, Conversation conversation, Verdict.Held held, long tookNanos) {
        RedisLease lease = new RedisLease(this, conversation, spec, held);
        leases.add(lease);
        lease.start();
        announcer.acquired(lease, tookNanos, held.fast());
        return lease;
    }

    /** Runs an operation of a lease under a permit; null if none was to be had within a node's timeout. */
    @Nullable Verdict perform(Conversation conversation, Event event) {
        return underPermit(() -> conversation.perform(event, null, false));
    }

    private <T> @Nullable T underPermit(Supplier<T> operation) {
        try {
            if (!permits.tryAcquire(settings.timeoutNanos(), TimeUnit.NANOSECONDS)) {
                return null;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
        try {
            return operation.get();
        } finally {
            permits.release();
        }
    }

    /** Extends many leases at once, under one permit; none of them if no permit was to be had within a node's timeout. */
    void extendTogether(List<Conversation> conversations, ObjIntConsumer<Verdict> decided) {
        var unused = underPermit(() -> {
            JointExtension.of(nodes, conversations, decided);
            return conversations;
        });
    }

    /** Releases in the background, as soon as there is a permit. */
    void releaseLater(Conversation conversation) {
        nodes.background().run(() -> {
            if (perform(conversation, new Event.Release()) == null) {
                nodes.background().runAfter(settings.timeoutNanos(), () -> releaseLater(conversation));
            }
        });
    }

    void ended(RedisLease lease) {
        leases.remove(lease);
        queue.hint(lease.resource());
    }

    StaleVerdict reportStale(RedisLease lease, long stored) {
        return staleReports.report(lease, new ResourceKeys(settings.prefix(), lease.resource()), stored);
    }

    /** Asks all nodes outside of any attempt. */
    Answer[] ask(ResourceKeys keys, Command command) {
        permits.acquireUninterruptibly();
        try {
            return new Round(nodes).ask(keys, command);
        } finally {
            permits.release();
        }
    }

    /** How each node looks now. */
    public List<NodeStatus> diagnose() {
        return nodes.all().stream().map(Node::status).toList();
    }

    NodeSet nodes() {
        return nodes;
    }

    Renewals renewals() {
        return renewals;
    }

    Announcer announcer() {
        return announcer;
    }

    Refusals refusals() {
        return refusals;
    }

    /** Closes connections and threads; leases in hand are named in the log and run out by themselves. */
    @Override
    public void close() {
        if (nodes.background().isClosed()) {
            return;
        }
        leases.report();
        leases.valid().forEach(announcer::abandoned);
        leases.forgetAll();
        nodes.background().close();
        queue.hintAll();
        asynchronous.forEach(AsyncAcquisition::clientClosed);
        wakeups.close();
        nodes.all().forEach(Node::shut);
    }
}
