package io.github.fencedwrite.internal.protocol;

import io.github.fencedwrite.NodeFailure;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to take the lock on a quorum of nodes, and, if it succeeds, the life of the lease. A state machine: feed it
 * events and the time, do what it answers.
 *
 * <ol>
 *   <li>All nodes are asked at once.
 *   <li>Once a quorum has granted, the {@link Ballot} agrees on the token.
 *   <li>With a token and validity left, the lock is held. Validity is ttl minus the time since the attempt began minus the
 *       allowance for clock drift.
 *   <li>As soon as success is out of reach, the lock is given back on each node that granted it or may still do so, behind
 *       the unanswered request, and the attempt is refused: {@code CONTENDED} if granting and busy nodes make a quorum,
 *       else {@code NO_QUORUM}.
 *   <li>After success {@link Tenure} brings the nodes that answer late, busy or not at all up to the token, and handles
 *       extension and release.
 * </ol>
 *
 * <p>The algorithm is Redlock (<i>Distributed Locks with Redis</i>, Redis documentation) with a token that is agreed on
 * rather than taken from one node. Not safe for use by several threads at once. Time is in nanoseconds of one monotonic
 * clock, compared by difference, so its origin does not matter.
 */
public final class Attempt {

    private final int nodes;
    private final int quorum;
    private final OwnerId owner;
    private final long ttlMillis;
    private final long driftNanos;
    private final long seed;

    private final Ballot ballot;
    private final @Nullable Answer[] acquireAnswers;
    private final BitSet unanswered = new BitSet();
    private long begun;
    private boolean over;
    private @Nullable Tenure tenure;

    /**
     * Prepares an attempt; it starts with {@link Event.Begin}.
     *
     * @param nodes number of nodes, from configuration only, at least 1; the quorum is more than half of them
     * @param owner a new random id, never used for another attempt
     * @param ttlMillis how long the nodes keep the lock, in milliseconds, positive
     * @param driftNanos allowance for the difference between the clocks' speeds, in nanoseconds, not negative
     * @param seed where a node that forgot its counter starts again; 0 for none
     */
    public Attempt(int nodes, OwnerId owner, long ttlMillis, long driftNanos, long seed) {
        this.nodes = nodes;
        this.quorum = nodes / 2 + 1;
        this.owner = owner;
        this.ttlMillis = ttlMillis;
        this.driftNanos = driftNanos;
        this.seed = seed;
        this.ballot = new Ballot(nodes, quorum);
        this.acquireAnswers = new @Nullable Answer[nodes];
    }

    /** Takes one event at time {@code now} and says what to do, in order. */
    public List<Action> on(Event event, long now) {
        List<Action> actions = new ArrayList<>(nodes);
        if (event instanceof Event.Begin) {
            begin(now, actions);
        } else if (event instanceof Event.Answered answered && answered.command() instanceof Command.Acquire) {
            acquireAnswered(answered.node(), answered.answer());
            if (tenure == null) {
                decide(now, actions);
            } else {
                tenure.catchUp(answered.node(), answered.answer(), now, actions);
            }
        } else if (event instanceof Event.Answered answered && answered.command() instanceof Command.Raise) {
            ballot.raised(answered.node(), answered.answer());
            if (tenure == null) {
                decide(now, actions);
            } else {
                tenure.catchUp(answered.node(), acquireAnswers[answered.node()], now, actions);
            }
        } else if (tenure != null) {
            tenure.on(event, now, actions);
        } else if (event instanceof Event.GiveUp || event instanceof Event.Release) {
            refuse(Verdict.Refusal.GIVEN_UP, actions);
        } else if (event instanceof Event.Tick) {
            decide(now, actions);
        }
        return actions;
    }

    private void begin(long now, List<Action> actions) {
        begun = now;
        unanswered.set(0, nodes);
        Command acquire = new Command.Acquire(owner, ttlMillis, seed);
        for (int node = 0; node < nodes; node++) {
            actions.add(new Action.Send(node, acquire));
        }
    }

    private void acquireAnswered(int node, Answer answer) {
        unanswered.clear(node);
        acquireAnswers[node] = answer;
        if (answer instanceof Answer.Granted grant) {
            ballot.granted(node, grant.counter());
        }
    }

    private void decide(long now, List<Action> actions) {
        if (over) {
            return;
        }
        if (now - validUntil() >= 0) {
            refuse(Verdict.Refusal.TOO_SLOW, actions);
        } else if (ballot.isWon()) {
            hold(now, actions);
        } else if (ballot.hasProposal()) {
            for (int node : ballot.nodesToRaise()) {
                actions.add(new Action.Send(node, new Command.Raise(owner, ballot.proposal())));
            }
            if (!ballot.canStillWin(unanswered.cardinality())) {
                refuse(ballot.isContradicted() ? Verdict.Refusal.OUTVOTED : Verdict.Refusal.NO_QUORUM, actions);
            }
        } else {
            int granted = count(Answer.Granted.class);
            int working = granted + count(Answer.Busy.class);
            int silent = unanswered.cardinality();
            if (granted + silent >= quorum) {
                return;
            }
            if (working >= quorum) {
                refuse(Verdict.Refusal.CONTENDED, actions);
            } else if (working + silent < quorum) {
                refuse(Verdict.Refusal.NO_QUORUM, actions);
            }
        }
    }

    private void hold(long now, List<Action> actions) {
        over = true;
        tenure = new Tenure(nodes, quorum, owner, ttlMillis, driftNanos, ballot, validUntil());
        actions.add(new Action.Decide(new Verdict.Held(ballot.proposal(), validUntil(), ballot.isFast())));
        for (int node = 0; node < nodes; node++) {
            if (!unanswered.get(node)) {
                tenure.catchUp(node, acquireAnswers[node], now, actions);
            }
        }
    }

    private void refuse(Verdict.Refusal reason, List<Action> actions) {
        if (over) {
            return;
        }
        over = true;
        for (int node = 0; node < nodes; node++) {
            if (mayHoldLock(acquireAnswers[node])) {
                actions.add(new Action.Send(node, new Command.Release(owner)));
            }
        }
        actions.add(new Action.Decide(new Verdict.Refused(reason, retryAfterMillis())));
    }

    private static boolean mayHoldLock(@Nullable Answer acquireAnswer) {
        return acquireAnswer == null
                || acquireAnswer instanceof Answer.Granted
                || (acquireAnswer instanceof Answer.Failed failed && failed.mayHaveRun());
    }

    private long validUntil() {
        return begun + TimeUnit.MILLISECONDS.toNanos(ttlMillis) - driftNanos;
    }

    private int count(Class<? extends Answer> kind) {
        int count = 0;
        for (Answer answer : acquireAnswers) {
            if (kind.isInstance(answer)) {
                count++;
            }
        }
        return count;
    }

    private long retryAfterMillis() {
        long soonest = 0;
        for (Answer answer : acquireAnswers) {
            if (answer instanceof Answer.Busy busy && busy.remainingMillis() > 0) {
                soonest = soonest == 0 ? busy.remainingMillis() : Math.min(soonest, busy.remainingMillis());
            }
        }
        return soonest;
    }

    /** What this attempt knows of one node, complete, so that equal texts mean equal states. */
    String describe(int node) {
        return acquireAnswers[node] + (unanswered.get(node) ? "?" : "") + ballot.describe(node);
    }

    /** The rest of the state, without time. */
    String describe() {
        return (over ? tenure == null ? "refused" : "held" : "open") + ballot.describe();
    }

    static boolean isQuarantined(@Nullable Answer acquireAnswer) {
        return acquireAnswer instanceof Answer.Failed failed
                && failed.failure().reason() == NodeFailure.Reason.QUARANTINED;
    }
}
