package io.github.fencedwrite.internal.protocol;

import io.github.fencedwrite.NodeFailure;
import org.jspecify.annotations.Nullable;

/**
 * What one Redis node does with the six scripts, for one resource, without time: a lock only ends when somebody calls
 * {@link #expire()}. The wrong variants exist to show that the checks notice them.
 */
public final class ModelNode {

    /** Rules of a node, right and wrong. */
    public enum Rule {
        RIGHT,
        RAISE_WITHOUT_CONDITION,
        NO_RUN_ID,
        RELEASE_WITHOUT_OWNER,
        EXTENSION_LOCKS_AGAIN,
        LOCK_BEFORE_COUNTER
    }

    /** What a counter that is no number is here; any script that reads it fails. */
    public static final long CORRUPT = -1;

    private static final long TOO_HIGH = (1L << 53) - 1;

    private final Rule rule;

    @Nullable OwnerId lock;
    /** 0: no counter. */
    long counter;

    int storedRun;
    int run = 1;

    ModelNode(Rule rule) {
        this.rule = rule;
    }

    ModelNode copy() {
        ModelNode copy = new ModelNode(rule);
        copy.lock = lock;
        copy.counter = counter;
        copy.storedRun = storedRun;
        copy.run = run;
        return copy;
    }

    Answer execute(Command command) {
        if (command instanceof Command.Acquire acquire) {
            return acquire(acquire);
        } else if (command instanceof Command.Raise raise) {
            return raise(raise);
        } else if (command instanceof Command.Lift lift) {
            return isSound() ? yesOrNo(lift(lift.token())) : corrupt();
        } else if (command instanceof Command.TopUp topUp) {
            if (!isSound()) {
                return corrupt();
            }
            lock = lock == null ? topUp.owner() : lock;
            lift(topUp.token());
            return yesOrNo(topUp.owner().equals(lock));
        } else if (command instanceof Command.Extend extend) {
            lock = lock == null && rule == Rule.EXTENSION_LOCKS_AGAIN ? extend.owner() : lock;
            return yesOrNo(extend.owner().equals(lock));
        } else if (command instanceof Command.Release release) {
            boolean mine = release.owner().equals(lock) || (lock != null && rule == Rule.RELEASE_WITHOUT_OWNER);
            lock = mine ? null : lock;
            return yesOrNo(mine);
        }
        throw new AssertionError(command);
    }

    private Answer acquire(Command.Acquire acquire) {
        if (lock != null) {
            return new Answer.Busy(1);
        }
        if (rule == Rule.LOCK_BEFORE_COUNTER) {
            lock = acquire.owner();
        }
        if (!isSound()) {
            return corrupt();
        }
        boolean forgot = counter == 0 || (storedRun != run && rule != Rule.NO_RUN_ID);
        counter++;
        if (forgot) {
            counter = Math.max(counter, acquire.seed());
            storedRun = run;
        }
        lock = acquire.owner();
        return new Answer.Granted(counter);
    }

    private Answer raise(Command.Raise raise) {
        if (rule == Rule.RAISE_WITHOUT_CONDITION) {
            counter = Math.max(counter, raise.token());
            return new Answer.Yes();
        }
        if (!raise.owner().equals(lock) || counter == 0) {
            return new Answer.No();
        }
        if (!isSound()) {
            return corrupt();
        }
        boolean may = counter < raise.token();
        counter = may ? raise.token() : counter;
        return yesOrNo(may);
    }

    private boolean lift(long token) {
        if (counter == 0) {
            return false;
        }
        counter = Math.max(counter, token);
        return true;
    }

    void expire() {
        lock = null;
    }

    /** Comes back with what it had saved earlier. */
    void restartFrom(ModelNode saved) {
        lock = saved.lock;
        counter = saved.counter;
        storedRun = saved.storedRun;
        run++;
    }

    static Answer lostReply() {
        return new Answer.Failed(new NodeFailure(NodeFailure.Reason.CONNECTION_LOST, "reply lost"), true);
    }

    String describe() {
        return (lock == null ? "-" : lock.text()) + counter + "/" + (storedRun == run);
    }

    private boolean isSound() {
        return counter >= 0 && counter < TOO_HIGH;
    }

    private static Answer corrupt() {
        return new Answer.Failed(new NodeFailure(NodeFailure.Reason.CORRUPT, "the counter is no number"), false);
    }

    private static Answer yesOrNo(boolean yes) {
        return yes ? new Answer.Yes() : new Answer.No();
    }
}
