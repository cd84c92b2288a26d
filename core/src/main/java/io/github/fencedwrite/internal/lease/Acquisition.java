package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.internal.protocol.Verdict;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One call to acquire a lock: one attempt, or as many as fit into the wait. Knows when to try and what to answer, not how
 * to wait; that differs between a caller's thread and an asynchronous caller. Not safe for use by several threads at once.
 *
 * <ol>
 *   <li>An attempt has a new owner id and a new seed.
 *   <li>Without a wait there is exactly one.
 *   <li>With a wait, an attempt that others got in between of while the token was agreed on is repeated at once, a few
 *       times, and any other refused one after a pause, or as soon as a release is heard of, until the wait is over. The
 *       pause is random, so that waiters of different clients do not meet again and again, and no longer than the other
 *       holder's remaining time.
 * </ol>
 */
final class Acquisition {

    private static final int OUTVOTED_TRIES = 5;
    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(250);

    private final LeaseClient client;
    private final LeaseSpec spec;
    private final long begun = System.nanoTime();
    private int attempts;
    private int outvoted;
    private boolean againAtOnce;
    private long retryAfter;
    private volatile @Nullable LockNotAcquiredException lastRefusal;

    private volatile @Nullable LockNotAcquiredException cutShort;

    Acquisition(LeaseClient client, LeaseSpec spec) {
        this.client = client;
        this.spec = spec;
    }

    LeaseSpec spec() {
        return spec;
    }

    boolean waits() {
        return spec.waitNanos() > 0;
    }

    long elapsed() {
        return System.nanoTime() - begun;
    }

    /** What is left of the wait. */
    long left() {
        return spec.waitNanos() - elapsed();
    }

    /** How long an attempt may take: what is left of the wait, or, without one, longer than any node may take. */
    long patience() {
        return waits() ? left() : 2 * client.timeoutNanos();
    }

    /**
     * Prepares an attempt.
     *
     * @throws LockNotAcquiredException if the configuration makes it unsafe
     * @throws IllegalStateException if the client is closed
     */
    LeaseExchange newAttempt() {
        client.ensureUsable(spec.resource());
        attempts++;
        return client.newExchange(spec);
    }

    /**
     * What comes of the verdict on an attempt.
     *
     * @return the lease, or null if there is a wait, over or not
     * @throws LockNotAcquiredException if there is none
     * @throws IllegalStateException if the client was closed meanwhile
     */
    @Nullable RedisLease finish(LeaseExchange exchange, Verdict verdict) {
        if (verdict instanceof Verdict.Held held) {
            return client.hold(spec, exchange, held, elapsed());
        }
        client.ensureUsable(spec.resource());
        Verdict.Refused refused = (Verdict.Refused) verdict;
        LockNotAcquiredException refusal =
                client.refusals().refused(spec.resource(), refused, exchange, elapsed(), waits() ? attempts : 0);
        // an attempt that was cut short by the end of the wait says less than the one before
        if (refused.reason() != Verdict.Refusal.GIVEN_UP) {
            lastRefusal = refusal;
        }
        cutShort = refusal;
        retryAfter = refused.retryAfterMillis();
        if (!waits()) {
            throw refusal;
        }
        outvoted = refused.reason() == Verdict.Refusal.OUTVOTED ? outvoted + 1 : 0;
        againAtOnce = outvoted > 0 && outvoted <= OUTVOTED_TRIES && left() > 0;
        if (!againAtOnce) {
            outvoted = 0;
        }
        return null;
    }

    /** Whether the next attempt follows at once. */
    boolean againAtOnce() {
        return againAtOnce;
    }

    /** How long to pause before the next attempt if nothing is heard. */
    long pause() {
        long most = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(attempts, 4));
        if (retryAfter > 0) {
            most = Math.min(most, Math.max(SHORTEST_PAUSE, TimeUnit.MILLISECONDS.toNanos(retryAfter)));
        }
        return Math.min(left(), ThreadLocalRandom.current().nextLong(SHORTEST_PAUSE, most + 1));
    }

    @Nullable LockNotAcquiredException lastRefusal() {
        return lastRefusal;
    }

    /** The wait is over: with the latest refusal, or that of another waiter for the same resource. */
    LockNotAcquiredException timedOut(@Nullable LockNotAcquiredException ofOthers) {
        LockNotAcquiredException mine = lastRefusal;
        if (mine != null) {
            return mine;
        }
        LockNotAcquiredException unfinished = cutShort;
        if (ofOthers == null && unfinished != null) {
            return unfinished;
        }
        if (ofOthers == null && attempts > 0) {
            return client.refusals().unfinished(spec.resource(), elapsed());
        }
        return client.refusals().neverTried(spec.resource(), elapsed(), ofOthers);
    }
}
