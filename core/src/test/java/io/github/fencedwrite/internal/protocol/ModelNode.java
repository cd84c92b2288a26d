package io.github.fencedwrite.internal.protocol;

import io.github.fencedwrite.NodeFailure;

/**
 * What one Redis node does with the six scripts, for one resource, without time: a lock only ends when somebody calls
 * {@link #expire()}. The wrong variants exist to show that the checks notice them.
 */
final class ModelNode {

    /** Rules of a node, right and wrong. */
    enum Rule {
        RIGHT,
        RAISE_WITHOUT_CONDITION,
        NO_RUN_ID
    }

    private final Rule rule;
    /** Null: no lock. */
    OwnerId lock;
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
            if (lock != null) {
                return new Answer.Busy(1);
            }
            boolean forgot = counter == 0 || storedRun != run && rule != Rule.NO_RUN_ID;
            counter++;
            if (forgot) {
                counter = Math.max(counter, acquire.seed());
                storedRun = run;
            }
            lock = acquire.owner();
            return new Answer.Granted(counter);
        } else if (command instanceof Command.Raise raise) {
            if (rule == Rule.RAISE_WITHOUT_CONDITION) {
                counter = Math.max(counter, raise.token());
                return new Answer.Yes();
            }
            boolean may = raise.owner().equals(lock) && counter != 0 && counter < raise.token();
            counter = may ? raise.token() : counter;
            return yesOrNo(may);
        } else if (command instanceof Command.Lift lift) {
            return lift(lift.token());
        } else if (command instanceof Command.TopUp topUp) {
            lock = lock == null ? topUp.owner() : lock;
            return lift(topUp.token());
        } else if (command instanceof Command.Extend extend) {
            return yesOrNo(extend.owner().equals(lock));
        } else if (command instanceof Command.Release release) {
            boolean mine = release.owner().equals(lock);
            lock = mine ? null : lock;
            return yesOrNo(mine);
        }
        throw new AssertionError(command);
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

    private Answer lift(long token) {
        if (counter == 0) {
            return new Answer.No();
        }
        counter = Math.max(counter, token);
        return new Answer.Yes();
    }

    private static Answer yesOrNo(boolean yes) {
        return yes ? new Answer.Yes() : new Answer.No();
    }
}
