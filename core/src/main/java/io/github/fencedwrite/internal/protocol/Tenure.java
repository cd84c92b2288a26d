package io.github.fencedwrite.internal.protocol;

import io.github.fencedwrite.ReleaseResult;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The part of an {@link Attempt} after success.
 *
 * <ul>
 *   <li><b>Catching up.</b> Every node is brought up to the token: one that granted with a lower counter is lifted, one that
 *       was busy or failed is topped up (lock for the remaining validity if it is free, and lift), one in quarantine or
 *       heard of only after the release is just lifted. This is part of safety, not a courtesy: a token that h nodes know
 *       survives h − q nodes that forget.
 *   <li><b>Extension.</b> Counts only nodes where the lock was still this owner's, and only if a quorum of them answers
 *       before the old validity ends. A node that lost the lock is topped up and counts from the next extension on.
 *   <li><b>Release.</b> Goes to all nodes and is decided at quorum; later answers change nothing.
 * </ul>
 */
final class Tenure {

    private final int nodes;
    private final int quorum;
    private final OwnerId owner;
    private final long ttlMillis;
    private final long driftNanos;
    private final Ballot ballot;

    private long validUntil;
    private boolean lost;
    private int round;
    private long roundBegun;
    private @Nullable Tally extension;
    private @Nullable Tally release;

    Tenure(int nodes, int quorum, OwnerId owner, long ttlMillis, long driftNanos, Ballot ballot, long validUntil) {
        this.nodes = nodes;
        this.quorum = quorum;
        this.owner = owner;
        this.ttlMillis = ttlMillis;
        this.driftNanos = driftNanos;
        this.ballot = ballot;
        this.validUntil = validUntil;
    }

    /** Brings {@code node}, which answered the acquire with {@code answer}, up to the token. */
    void catchUp(int node, @Nullable Answer answer, long now, List<Action> actions) {
        if (answer instanceof Answer.Granted) {
            if (ballot.isBehind(node)) {
                actions.add(new Action.Send(node, new Command.Lift(ballot.proposal())));
            }
        } else if (release != null || Attempt.isQuarantined(answer)) {
            actions.add(new Action.Send(node, new Command.Lift(ballot.proposal())));
        } else {
            topUp(node, now, actions);
        }
    }

    void on(Event event, long now, List<Action> actions) {
        if (event instanceof Event.Extend) {
            extend(now, actions);
        } else if (event instanceof Event.Release || event instanceof Event.GiveUp) {
            release(actions);
        } else if (event instanceof Event.Tick) {
            endExtension(now, actions);
        } else if (event instanceof Event.Answered answered) {
            if (answered.command() instanceof Command.Extend extend) {
                extendAnswered(extend, answered.node(), answered.answer(), now, actions);
            } else if (answered.command() instanceof Command.Release && release != null) {
                release.count(answered.node(), answered.answer());
                endRelease(release, actions);
            }
        }
    }

    private void extend(long now, List<Action> actions) {
        if (lost || release != null || now - validUntil >= 0) {
            lost = true;
            actions.add(new Action.Decide(new Verdict.Lost()));
            return;
        }
        round++;
        roundBegun = now;
        extension = new Tally(nodes, quorum);
        for (int node = 0; node < nodes; node++) {
            actions.add(new Action.Send(node, new Command.Extend(owner, ttlMillis, round)));
        }
    }

    private void extendAnswered(Command.Extend asked, int node, Answer answer, long now, List<Action> actions) {
        if (release != null) {
            return;
        }
        if (extension != null && asked.round() == round) {
            extension.count(node, answer);
            endExtension(now, actions);
        }
        if (answer instanceof Answer.No && !lost) {
            topUp(node, now, actions);
        }
    }

    private void endExtension(long now, List<Action> actions) {
        if (extension == null) {
            return;
        }
        if (now - validUntil >= 0) {
            lost = true;
            extension = null;
            actions.add(new Action.Decide(new Verdict.Lost()));
        } else if (extension.closesNow()) {
            if (extension.isCarried()) {
                validUntil = roundBegun + TimeUnit.MILLISECONDS.toNanos(ttlMillis) - driftNanos;
                actions.add(new Action.Decide(new Verdict.Extended(validUntil)));
            } else if (extension.isRejected()) {
                lost = true;
                actions.add(new Action.Decide(new Verdict.Lost()));
            } else {
                actions.add(new Action.Decide(new Verdict.NotExtended()));
            }
            extension = null;
        }
    }

    private void release(List<Action> actions) {
        if (release != null) {
            return;
        }
        extension = null;
        release = new Tally(nodes, quorum);
        for (int node = 0; node < nodes; node++) {
            actions.add(new Action.Send(node, new Command.Release(owner)));
        }
    }

    private static void endRelease(Tally release, List<Action> actions) {
        if (release.closesNow()) {
            ReleaseResult result = release.isCarried()
                    ? ReleaseResult.RELEASED
                    : release.isRejected() ? ReleaseResult.NOT_HELD : ReleaseResult.UNCONFIRMED;
            actions.add(new Action.Decide(new Verdict.Released(result)));
        }
    }

    private void topUp(int node, long now, List<Action> actions) {
        long remainingMillis = TimeUnit.NANOSECONDS.toMillis(validUntil - now);
        if (remainingMillis > 0) {
            actions.add(new Action.Send(node, new Command.TopUp(owner, remainingMillis, ballot.proposal())));
        } else {
            actions.add(new Action.Send(node, new Command.Lift(ballot.proposal())));
        }
    }
}
