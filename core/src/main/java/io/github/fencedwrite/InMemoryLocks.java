package io.github.fencedwrite;

import io.github.fencedwrite.internal.memory.LockTable;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Locks in memory, for unit tests without servers: exclusive, with tokens that grow from 1 for each resource, and with time
 * that passes only when the test says so. Safe for use by many threads.
 *
 * <p>A thread that waits for a lock is woken by a release or by the clock that is advanced on another thread. If the thread
 * acquired the lease that it waits for itself, nobody but time can end that, and the clock is advanced up to the end of that
 * lease or of the wait: a test with one thread never hangs. If nothing happens for a minute of real time, a waiting thread
 * gives up with an {@link IllegalStateException}.
 *
 * <p>Callbacks of leases run on the thread that advances the clock. Made by {@link FencedLocks#inMemory}.
 */
public final class InMemoryLocks implements FencedLocks {

    private final ManualClock.Time time;
    private final LockTable table;
    private final ManualClock.Participant participant;
    private final Arguments arguments = new Arguments(Arguments.LARGEST_MAX_TTL, Arguments.LARGEST_MAX_LIFETIME);

    InMemoryLocks(ManualClock clock) {
        this.time = clock.time();
        this.table = new LockTable(time::nanos, time::advanceTo);
        this.participant = new ManualClock.Participant() {

            @Override
            public OptionalLong nextDue() {
                return table.nextDue();
            }

            @Override
            public void timeIs(long nanos) {
                table.timeIs(nanos);
            }
        };
        time.add(participant);
    }

    /**
     * Lets the lock of {@code resource} expire although its holder has not noticed, as if the holder had been paused for longer
     * than the ttl: its lease still says that it is valid and is renewed no more, and another caller can acquire the lock. What
     * the old holder writes now is a stale write.
     *
     * @throws IllegalStateException if nobody holds {@code resource}
     */
    public void expireUnnoticed(String resource) {
        table.expireUnnoticed(arguments.resource(resource));
    }

    @Override
    public Lease acquire(LeaseRequest request, Duration waitAtMost) {
        return table.acquire(arguments.spec(request, waitAtMost));
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(LeaseRequest request, Duration waitAtMost) {
        return table.acquireAsync(arguments.spec(request, waitAtMost));
    }

    @Override
    public Leases acquireAll(Collection<LeaseRequest> requests, Duration waitAtMost) {
        return new Leases(table.acquireAll(arguments.specs(requests, waitAtMost)));
    }

    /** As if there was one node, named memory. */
    @Override
    public ResourceStatus resourceStatus(String resource) {
        return table.status(arguments.resource(resource));
    }

    @Override
    public ReleaseResult forceRelease(String resource) {
        return table.forceRelease(arguments.resource(resource));
    }

    @Override
    public List<Lease> heldLeases() {
        return table.heldLeases();
    }

    /** Empty: there are no nodes. */
    @Override
    public List<Finding> preflight() {
        return List.of();
    }

    /** Empty: there are no nodes. */
    @Override
    public List<NodeStatus> nodeStatuses() {
        return List.of();
    }

    /** Releases the leases that are still held, and ends those who wait. Idempotent. */
    @Override
    public void close() {
        table.close();
        time.remove(participant);
    }
}
