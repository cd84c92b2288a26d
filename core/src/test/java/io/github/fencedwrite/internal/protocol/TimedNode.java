package io.github.fencedwrite.internal.protocol;

import org.jspecify.annotations.Nullable;

/**
 * A {@link ModelNode} whose keys run out. Time is the node's own wall clock in milliseconds and comes with each call; a key
 * lives up to and including the millisecond at which it runs out, as in Redis.
 */
public final class TimedNode {

    /** When a key without expiry runs out. */
    public static final long NEVER = Long.MAX_VALUE;

    private final ModelNode model;
    private long lockEnds = NEVER;
    private long counterEnds = NEVER;

    /** An empty node. */
    public TimedNode(ModelNode.Rule rule) {
        this(new ModelNode(rule));
    }

    private TimedNode(ModelNode model) {
        this.model = model;
    }

    /** What the node would come back with if it restarted from a snapshot taken now. */
    public TimedNode copy() {
        TimedNode copy = new TimedNode(model.copy());
        copy.lockEnds = lockEnds;
        copy.counterEnds = counterEnds;
        return copy;
    }

    /**
     * Executes one script.
     *
     * @param retentionMillis how long a counter is kept after its last use; 0 for ever
     */
    public Answer execute(Command command, long now, long retentionMillis) {
        passTo(now);
        boolean wasFree = model.lock == null;
        boolean hadCounter = model.counter != 0;
        Answer answer = model.execute(command);
        if (answer instanceof Answer.Busy) {
            return new Answer.Busy(lockEnds == NEVER ? -1 : lockEnds - now);
        }
        if (wasFree && model.lock != null && command instanceof Command.Acquire acquire) {
            lockEnds = now + acquire.ttlMillis();
        } else if (wasFree && model.lock != null && command instanceof Command.TopUp topUp) {
            lockEnds = now + topUp.remainingMillis();
        } else if (answer instanceof Answer.Yes && command instanceof Command.Extend extend) {
            lockEnds = now + extend.ttlMillis();
        }
        if (touchesCounter(command, answer)) {
            keepCounter(hadCounter, now, retentionMillis);
        }
        return answer;
    }

    private boolean touchesCounter(Command command, Answer answer) {
        return answer instanceof Answer.Granted
                || (answer instanceof Answer.Yes
                        && (command instanceof Command.Raise || command instanceof Command.Lift))
                || (!(answer instanceof Answer.Failed) && command instanceof Command.TopUp && model.counter != 0);
    }

    private void keepCounter(boolean hadCounter, long now, long retentionMillis) {
        if (retentionMillis == 0 || (hadCounter && counterEnds == NEVER)) {
            counterEnds = NEVER;
        } else {
            counterEnds = hadCounter ? Math.max(counterEnds, now + retentionMillis) : now + retentionMillis;
        }
    }

    /** Lets run out what has run out by {@code now}. */
    public void passTo(long now) {
        if (model.lock != null && now > lockEnds) {
            model.expire();
        }
        if (model.counter != 0 && now > counterEnds) {
            forgetCounter();
            model.storedRun = 0;
        }
    }

    /** The process ends and comes back with what {@code saved} has, and with a new run id. */
    public void restartFrom(TimedNode saved) {
        model.restartFrom(saved.model);
        lockEnds = saved.lockEnds;
        counterEnds = saved.counterEnds;
    }

    /** The counter is evicted or deleted, but not the run id. */
    public void forgetCounter() {
        model.counter = 0;
        counterEnds = NEVER;
    }

    /** Everything is deleted while the server runs. */
    public void flush() {
        forgetCounter();
        model.storedRun = 0;
        model.expire();
    }

    /**
     * Somebody overwrites the counter with something else, {@link ModelNode#CORRUPT} for what is no number; it runs out when
     * it would have.
     */
    public void overwriteCounter(long value) {
        model.counter = value;
    }

    /** Whose lock it is. */
    public @Nullable OwnerId lock() {
        return model.lock;
    }

    /** Last millisecond of the lock, if there is one. */
    public long lockEnds() {
        return lockEnds;
    }

    /** 0: none. */
    public long counter() {
        return model.counter;
    }

    /** Last millisecond of the counter, if there is one. */
    public long counterEnds() {
        return counterEnds;
    }

    /** Number of the process, from 1. */
    public int run() {
        return model.run;
    }

    /** Number of the process that last took the counter over, 0 if there is no counter. */
    public int storedRun() {
        return model.storedRun;
    }
}
