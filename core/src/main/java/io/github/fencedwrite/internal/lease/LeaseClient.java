package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.NodeStatus;
import io.github.fencedwrite.StaleVerdict;
import io.github.fencedwrite.internal.loop.Loop;
import io.github.fencedwrite.internal.loop.Waiter;
import io.github.fencedwrite.internal.protocol.Event;
import io.github.fencedwrite.internal.protocol.OwnerId;
import io.github.fencedwrite.internal.protocol.Verdict;
import io.github.fencedwrite.internal.redis.Node;
import io.github.fencedwrite.internal.redis.ResourceKeys;
import io.github.fencedwrite.internal.redis.ResourceLook;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** What all acquisitions and leases of one client share. Safe for use by many threads. */
public final class LeaseClient implements AutoCloseable {

    private static final SecureRandom random = new SecureRandom();

    private final NodeSet nodes;
    private final Loop loop;
    private final Settings settings;
    private final CallbackThread callbacks = new CallbackThread();
    private final ListenerNotifier notifier;
    private final CounterSeeds seeds;
    private final RefusalMessages refusals;
    private final HeldLeases leases = new HeldLeases();
    private final Set<AsyncAcquisition> asynchronous = ConcurrentHashMap.newKeySet();
    private final WaitQueue queue;
    private final BlockingAcquisition blocking;
    private final StaleReports staleReports;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final Unattended unattended = new Unattended();
    /** Attempts that are not decided. Used in steps only. */
    private final Set<LeaseExchange> attempts = new HashSet<>();

    public LeaseClient(NodeSet nodes, Settings settings) {
        this.nodes = nodes;
        this.loop = nodes.loop();
        this.settings = settings;
        Executor chosen = settings.callbacks();
        this.notifier = new ListenerNotifier(settings.listener(), callbacks, chosen == null ? callbacks : chosen);
        this.seeds = new CounterSeeds(settings.seedMode(), nodes.all());
        this.refusals = new RefusalMessages(nodes.all(), leases);
        ReleaseSubscription releases = new ReleaseSubscription(nodes, settings.prefix());
        this.queue = new WaitQueue(releases);
        this.blocking = new BlockingAcquisition(this, queue, leases, loop);
        this.staleReports = new StaleReports(this, settings.seedMode());
        releases.listen(queue::hint);
        loop.add(unattended);
    }

    /**
     * Acquires a lock on the caller's thread.
     *
     * @throws LockNotAcquiredException if the lock could not be taken
     */
    public Lease acquire(LeaseSpec spec) {
        Acquisition acquisition = new Acquisition(this, spec);
        try {
            return blocking.acquire(acquisition);
        } catch (LockNotAcquiredException e) {
            notifier.refused(e, acquisition.elapsed());
            throw e;
        }
    }

    /** Acquires a lock without a thread that waits. */
    public CompletableFuture<Lease> acquireAsync(LeaseSpec spec) {
        Acquisition acquisition = new Acquisition(this, spec);
        AsyncAcquisition waiter = new AsyncAcquisition(this, acquisition, queue, leases, loop, callbacks);
        asynchronous.add(waiter);
        CompletableFuture<Lease> future = waiter.start();
        if (isClosed()) {
            waiter.clientClosed();
        }
        var unused = future.whenComplete((lease, thrown) -> {
            asynchronous.remove(waiter);
            if (thrown instanceof LockNotAcquiredException refusal) {
                notifier.refused(refusal, acquisition.elapsed());
            }
        });
        return future;
    }

    void ensureUsable(String resource) {
        if (isClosed()) {
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

    LeaseExchange newExchange(LeaseSpec spec) {
        ResourceKeys keys = new ResourceKeys(settings.prefix(), spec.resource());
        long drift = settings.driftOf(spec.ttlMillis());
        return new LeaseExchange(nodes, keys, newOwner(settings.label()), spec.ttlMillis(), drift, seeds.next());
    }

    /** The label is part of the value that scripts compare, but only the random bits tell owners apart. */
    private static OwnerId newOwner(String label) {
        byte[] bits = new byte[16];
        random.nextBytes(bits);
        String id = HexFormat.of().formatHex(bits);
        return new OwnerId(label.isEmpty() ? id : id + " " + label);
    }

    long timeoutNanos() {
        return settings.timeoutNanos();
    }

    /** Begins an attempt that a thread waits for. In a step. */
    void begin(LeaseExchange exchange, Consumer<Verdict> decided) {
        if (isClosed()) {
            decided.accept(new Verdict.Refused(Verdict.Refusal.GIVEN_UP, 0));
            return;
        }
        attempts.add(exchange);
        exchange.begin(new Event.Begin(), verdict -> {
            attempts.remove(exchange);
            decided.accept(verdict);
        });
    }

    /** Begins an attempt that no thread waits for. In a step. */
    void beginUnattended(LeaseExchange exchange, Consumer<Verdict> decided) {
        unattended.count++;
        begin(exchange, verdict -> {
            unattended.count--;
            decided.accept(verdict);
        });
    }

    RedisLease hold(LeaseSpec spec, LeaseExchange exchange, Verdict.Held held, long tookNanos) {
        RedisLease lease = new RedisLease(this, exchange, spec, held);
        leases.add(lease);
        if (isClosed()) {
            // nobody else will give it back: the client was closed after the nodes had granted it
            loop.submit(() -> exchange.begin(new Event.Release(), verdict -> {}));
            throw new IllegalStateException("This client was closed while the lock was being acquired.");
        }
        lease.start();
        notifier.acquired(lease, tookNanos, held.fast());
        return lease;
    }

    /** Waits for an operation of a lease, for longer than any node may take. */
    void await(Waiter<?> waiter) {
        loop.await(waiter, loop.now() + 2 * settings.timeoutNanos(), false);
    }

    /** Runs {@code task} when an operation has taken longer than any node may take. In a step. */
    void atLatest(Runnable task) {
        var unused = loop.deadlines().at(loop.now() + 2 * settings.timeoutNanos(), task);
    }

    void ended(RedisLease lease) {
        leases.remove(lease);
        queue.hint(lease.resource());
    }

    StaleVerdict reportStale(RedisLease lease, long stored) {
        return staleReports.report(lease, new ResourceKeys(settings.prefix(), lease.resource()), stored);
    }

    /** The leases that are held and valid. */
    public List<Lease> heldLeases() {
        return List.copyOf(leases.valid());
    }

    /** Looks at the keys of a resource on the nodes. */
    public ResourceLook look(String resource) {
        if (isClosed()) {
            throw new IllegalStateException("This client is closed. Build a new one.");
        }
        return new ResourceLook(nodes.all(), settings.prefix(), resource);
    }

    /** How each node looks now. */
    public List<NodeStatus> diagnose() {
        return nodes.all().stream().map(Node::status).toList();
    }

    NodeSet nodes() {
        return nodes;
    }

    Executor callbacks() {
        return callbacks;
    }

    ListenerNotifier notifier() {
        return notifier;
    }

    RefusalMessages refusals() {
        return refusals;
    }

    boolean isClosed() {
        return closing.get();
    }

    /**
     * Releases the leases that are held, within a node's timeout, and closes the connections. Those that could not be released
     * are named in the log, told to their holders, and run out by themselves.
     */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        loop.submit(() -> List.copyOf(attempts).forEach(LeaseExchange::giveUp));
        queue.hintAll();
        asynchronous.forEach(AsyncAcquisition::clientClosed);
        List<RedisLease> held = leases.valid();
        if (settings.releaseOnClose() && !held.isEmpty()) {
            release(held);
        }
        List<RedisLease> left = held.stream().filter(RedisLease::isValid).toList();
        HeldLeases.report(left);
        left.forEach(notifier::abandoned);
        leases.forgetAll();
        loop.submit(() -> {
            if (settings.releaseOnClose()) {
                left.forEach(RedisLease::ranOut);
            }
            nodes.all().forEach(Node::shut);
        });
        loop.close();
    }

    private void release(List<RedisLease> held) {
        Waiter<Boolean> all = new Waiter<>(loop);
        loop.submit(() -> {
            int[] open = {held.size()};
            for (RedisLease lease : held) {
                lease.releaseAtClose(() -> {
                    if (--open[0] == 0) {
                        all.settle(true);
                    }
                });
            }
        });
        loop.await(all, loop.now() + settings.timeoutNanos(), false);
    }

    /** Keeps somebody at the loop while attempts are under way that no thread waits for. Used in steps only. */
    private static final class Unattended implements Loop.Part {

        int count;

        @Override
        public void tend(long now) {}

        @Override
        public long nextLook(long latest) {
            return latest;
        }

        @Override
        public Loop.Demand demand() {
            return count > 0 ? Loop.Demand.NOW : Loop.Demand.NONE;
        }
    }
}
