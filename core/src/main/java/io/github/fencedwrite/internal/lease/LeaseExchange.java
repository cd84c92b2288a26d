package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.internal.protocol.Action;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Attempt;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.protocol.Event;
import io.github.fencedwrite.internal.protocol.OwnerId;
import io.github.fencedwrite.internal.protocol.Verdict;
import io.github.fencedwrite.internal.redis.Node;
import io.github.fencedwrite.internal.redis.ReplyHandler;
import io.github.fencedwrite.internal.redis.ResourceKeys;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one attempt, and the lease it may become, says to all nodes. Carries out the actions of an {@link Attempt} and feeds
 * it what comes back.
 *
 * <p>Order on a node: everything goes over its one connection, in order, so a release can never overtake its own acquire.
 * Only an extension may go before what is not written yet, and only where nothing of this exchange is unanswered. Where the
 * connection broke with something unanswered, or a release was refused, the node owes it (see {@link Node#oweRelease}).
 *
 * <p>Used in steps of the loop only, except for {@link #lastAnswer}.
 */
final class LeaseExchange implements ReplyHandler {

    private final NodeSet nodes;
    private final ResourceKeys keys;
    /** Nobody is to be woken by the release of what was never held, least of all the caller itself. */
    private final ResourceKeys silentKeys;

    private final long ttlMillis;
    private final Attempt attempt;
    private final List<AtNode> atNodes;
    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private List<Consumer<Verdict>> waiting = new ArrayList<>(1);
    private @Nullable Event underWay;
    private @Nullable Verdict released;
    private long validUntil;
    private boolean held;
    private boolean releasing;
    private boolean draining;

    LeaseExchange(NodeSet nodes, ResourceKeys keys, OwnerId owner, long ttlMillis, long driftNanos, long seed) {
        this.nodes = nodes;
        this.keys = keys;
        this.silentKeys = keys.silent();
        this.ttlMillis = ttlMillis;
        this.attempt = new Attempt(nodes.size(), owner, ttlMillis, driftNanos, seed);
        this.atNodes = nodes.all().stream().map(AtNode::new).toList();
    }

    /** What this exchange knows of one node. */
    private static final class AtNode {

        final Node node;
        int unanswered;
        /** A command that takes the lock was sent. */
        boolean touched;
        /** A command that takes the lock may still be executed, behind whatever is sent now. */
        boolean straying;
        /** A token that the node could not be told. */
        @Nullable Command owed;

        volatile @Nullable Answer lastAnswer;

        AtNode(Node node) {
            this.node = node;
        }
    }

    /**
     * Starts an operation: acquiring, extending or releasing. One that is under way already is joined; a release ends an
     * extension.
     *
     * @param decided takes the verdict, in a step
     */
    void begin(Event event, Consumer<Verdict> decided) {
        if (released != null) {
            decided.accept(event instanceof Event.Release ? released : new Verdict.Lost());
            return;
        }
        Event before = underWay;
        if (before != null && before.getClass() == event.getClass()) {
            waiting.add(decided);
            return;
        }
        if (before instanceof Event.Release) {
            decided.accept(new Verdict.Lost());
            return;
        }
        if (before != null) {
            tell(new Verdict.NotExtended());
        }
        underWay = event;
        waiting.add(decided);
        handle(event);
    }

    /** The caller no longer wants the lock; if it was taken a moment ago, nothing happens. */
    void giveUp() {
        if (underWay instanceof Event.Begin) {
            handle(new Event.GiveUp());
        }
    }

    private void tell(Verdict verdict) {
        List<Consumer<Verdict>> told = waiting;
        waiting = new ArrayList<>(1);
        underWay = null;
        for (int i = 0; i < told.size(); i++) {
            told.get(i).accept(verdict);
        }
    }

    @Override
    public void answered(int index, Command command, Answer answer) {
        AtNode at = atNodes.get(index);
        at.unanswered--;
        if (answer instanceof Answer.Failed failed) {
            if (failed.mayHaveRun() && takesLock(command)) {
                at.straying = true;
            }
            if (command instanceof Command.Release release) {
                at.node.oweRelease(silentKeys, release, ttlMillis, at.straying);
            } else if (tellsToken(command) && (!at.node.isReady() || at.node.refused(failed.failure()))) {
                oweToken(at, command);
            }
        }
        handle(new Event.Answered(index, command, answer));
    }

    private static boolean takesLock(Command command) {
        return command instanceof Command.Acquire || command instanceof Command.TopUp;
    }

    private static boolean tellsToken(Command command) {
        return command instanceof Command.Lift || command instanceof Command.TopUp;
    }

    /** What a node answered last, for the message of an exception; on any thread. */
    @Nullable Answer lastAnswer(int node) {
        return atNodes.get(node).lastAnswer;
    }

    /** Feeds an event, and those that its actions bring about at once. */
    private void handle(Event event) {
        events.addLast(event);
        drain();
    }

    private void drain() {
        if (draining) {
            return;
        }
        draining = true;
        try {
            for (Event event = events.pollFirst(); event != null; event = events.pollFirst()) {
                feed(event);
            }
        } finally {
            draining = false;
        }
    }

    private void feed(Event event) {
        if (event instanceof Event.Answered answered && !(answered.command() instanceof Command.Release)) {
            atNodes.get(answered.node()).lastAnswer = answered.answer();
        }
        for (Action action : attempt.on(event, nodes.loop().now())) {
            if (action instanceof Action.Send send) {
                send(send.node(), send.command());
            } else if (action instanceof Action.Decide decide) {
                decided(decide.verdict());
            }
        }
    }

    private void decided(Verdict verdict) {
        if (verdict instanceof Verdict.Held success) {
            held = true;
            validUntil = success.validUntil();
        } else if (verdict instanceof Verdict.Extended extended) {
            validUntil = extended.validUntil();
        } else if (verdict instanceof Verdict.Released) {
            released = verdict;
        }
        tell(verdict);
    }

    /**
     * A node that could not be told of the token when it was due can be told now. That all nodes know the token is part of
     * safety: it survives as many forgetful nodes as know it beyond a quorum.
     */
    private void catchUp(AtNode at) {
        Command command = at.owed;
        at.owed = null;
        if (command instanceof Command.TopUp topUp) {
            long remaining =
                    TimeUnit.NANOSECONDS.toMillis(validUntil - nodes.loop().now());
            command = releasing || remaining <= 0
                    ? new Command.Lift(topUp.token())
                    : new Command.TopUp(topUp.owner(), remaining, topUp.token());
        }
        if (command != null) {
            send(at.node.index(), command);
            drain();
        }
    }

    private void oweToken(AtNode at, Command command) {
        at.owed = command;
        at.node.oweToken(keys, () -> catchUp(at));
    }

    private void send(int index, Command wanted) {
        AtNode at = atNodes.get(index);
        Node node = at.node;
        Command command = wanted;
        NodeFailure quarantined = takesLock(wanted) && node.isReady() ? node.quarantined() : null;
        if (quarantined != null && wanted instanceof Command.TopUp topUp) {
            command = new Command.Lift(topUp.token());
        } else if (quarantined != null) {
            fail(index, command, quarantined);
            return;
        }
        releasing |= command instanceof Command.Release;
        boolean sent = command instanceof Command.Extend extend && at.unanswered == 0
                ? node.sendFirst(this, extend, keys)
                : node.send(this, command, held ? keys : silentKeys);
        if (command instanceof Command.Release release && (sent ? at.straying : at.touched)) {
            node.oweRelease(silentKeys, release, ttlMillis, at.straying);
        }
        if (sent) {
            at.touched |= takesLock(command);
            at.unanswered++;
        } else {
            if (tellsToken(command)) {
                oweToken(at, command);
            }
            fail(index, command, node.failure());
        }
    }

    private void fail(int index, Command command, NodeFailure failure) {
        events.addLast(new Event.Answered(index, command, new Answer.Failed(failure, false)));
    }
}
