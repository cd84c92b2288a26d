package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.internal.protocol.Event;
import io.github.fencedwrite.internal.protocol.OwnerId;
import io.github.fencedwrite.internal.protocol.Verdict;
import io.github.fencedwrite.internal.redis.ResourceKeys;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Acquires leases: one attempt, or as many as fit into a wait.
 *
 * <ol>
 *   <li>An attempt has a new owner id and a new seed; it takes a permit, so that each node needs one connection at most per
 *       attempt under way.
 *   <li>An attempt that others got in between of is repeated at once, a few times.
 *   <li>With a wait, a refused attempt is repeated after a random pause until the wait is over.
 * </ol>
 *
 * <p>Safe for use by many threads.
 */
public final class LeaseClient implements AutoCloseable {

    private static final int OUTVOTED_TRIES = 5;
    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final SecureRandom random = new SecureRandom();

    private final NodeSet nodes;
    private final Settings settings;
    private final Seeds seeds;
    private final Refusals refusals;
    private final Semaphore permits;
    private final LeasesInHand leases = new LeasesInHand();

    public LeaseClient(NodeSet nodes, Settings settings) {
        this.nodes = nodes;
        this.settings = settings;
        this.seeds = new Seeds(settings.seedMode(), nodes.all());
        this.refusals = new Refusals(nodes.all());
        this.permits = new Semaphore(settings.concurrency());
    }

    /**
     * Acquires {@code resource}, all arguments checked before.
     *
     * @param waitNanos 0 for exactly one attempt, else an upper bound
     * @throws LockNotAcquiredException if the lock could not be taken
     */
    public RedisLease acquire(String resource, long ttlMillis, long waitNanos) {
        long begun = System.nanoTime();
        ResourceKeys keys = new ResourceKeys(settings.prefix(), resource);
        int outvoted = 0;
        while (true) {
            if (nodes.background().isClosed()) {
                throw new IllegalStateException("This client is closed. Build a new one.");
            }
            String objection = seeds.objection();
            if (objection != null) {
                throw refusals.misconfigured(resource, objection);
            }
            Conversation conversation =
                    new Conversation(nodes, keys, newOwner(), ttlMillis, settings.driftOf(ttlMillis), seeds.next());
            Verdict verdict = attempt(conversation, resource, begun, waitNanos);
            if (verdict instanceof Verdict.Held held) {
                RedisLease lease = new RedisLease(this, conversation, resource, ttlMillis, held);
                leases.add(lease);
                return lease;
            }
            Verdict.Refused refused = (Verdict.Refused) verdict;
            if (Thread.currentThread().isInterrupted()) {
                throw refusals.interrupted(resource, null);
            }
            boolean again = refused.reason() == Verdict.Refusal.OUTVOTED && ++outvoted < OUTVOTED_TRIES;
            long left = waitNanos - (System.nanoTime() - begun);
            if (!again && left <= 0) {
                throw refusals.refused(resource, refused, conversation, System.nanoTime() - begun, waitNanos > 0);
            }
            if (!again) {
                pause(resource, Math.min(left, pauseAfter(refused)));
            }
        }
    }

    private Verdict attempt(Conversation conversation, String resource, long begun, long waitNanos) {
        long patience = waitNanos == 0 ? settings.timeoutNanos() : waitNanos - (System.nanoTime() - begun);
        try {
            if (!permits.tryAcquire(patience, TimeUnit.NANOSECONDS)) {
                throw refusals.exhausted(resource, settings.concurrency());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refusals.interrupted(resource, e);
        }
        try {
            return conversation.perform(new Event.Begin(), waitNanos == 0 ? null : (Long) (begun + waitNanos), true);
        } finally {
            permits.release();
        }
    }

    /** Up to the other holder's remaining time, within bounds; random, so that waiters do not meet again and again. */
    private static long pauseAfter(Verdict.Refused refused) {
        long remaining = TimeUnit.MILLISECONDS.toNanos(refused.retryAfterMillis());
        long most = remaining == 0 ? LONGEST_PAUSE : Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, remaining));
        return ThreadLocalRandom.current().nextLong(SHORTEST_PAUSE, most + 1);
    }

    private void pause(String resource, long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refusals.interrupted(resource, e);
        }
    }

    private static OwnerId newOwner() {
        byte[] bits = new byte[16];
        random.nextBytes(bits);
        return new OwnerId(HexFormat.of().formatHex(bits));
    }

    /** Runs an operation of a lease under a permit; null if none was to be had within a node's timeout. */
    @Nullable Verdict perform(Conversation conversation, Event event) {
        try {
            if (!permits.tryAcquire(settings.timeoutNanos(), TimeUnit.NANOSECONDS)) {
                return null;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
        try {
            return conversation.perform(event, null, false);
        } finally {
            permits.release();
        }
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
    }

    /** Closes connections and threads; leases in hand are named in the log and run out by themselves. */
    @Override
    public void close() {
        leases.report();
        nodes.background().close();
        nodes.all().forEach(node -> node.shut());
    }
}
