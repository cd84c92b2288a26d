package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.redis.Node;
import io.github.fencedwrite.internal.redis.NodeConnection;
import io.github.fencedwrite.internal.redis.Recipient;
import io.github.fencedwrite.internal.redis.ResourceKeys;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One command to all nodes, outside of any attempt, and what each of them answers within its timeout. Used once. */
final class Round implements Recipient {

    private static final long SLICE = TimeUnit.MILLISECONDS.toNanos(1);

    private final NodeSet nodes;
    private final @Nullable Answer[] answers;
    private final boolean[] sent;

    Round(NodeSet nodes) {
        this.nodes = nodes;
        this.answers = new @Nullable Answer[nodes.size()];
        this.sent = new boolean[nodes.size()];
    }

    /** Sends and waits; the answers are by node. */
    Answer[] ask(ResourceKeys keys, Command command) {
        @Nullable NodeConnection[] taken = new @Nullable NodeConnection[answers.length];
        try {
            for (Node node : nodes.all()) {
                NodeConnection connection = node.take();
                taken[node.index()] = connection;
                synchronized (this) {
                    sent[node.index()] = connection != null && connection.send(this, command, keys);
                    if (!sent[node.index()]) {
                        answers[node.index()] = new Answer.Failed(node.failure(), false);
                    }
                }
            }
            Answer[] complete = new Answer[answers.length];
            for (Node node : nodes.all()) {
                complete[node.index()] = answerOf(node, taken[node.index()]);
            }
            return complete;
        } finally {
            for (Node node : nodes.all()) {
                NodeConnection connection = taken[node.index()];
                if (connection != null) {
                    node.giveBack(connection);
                }
            }
            nodes.sweeper().sweepSoon();
        }
    }

    private Answer answerOf(Node node, @Nullable NodeConnection connection) {
        long tooLate = System.nanoTime() + 2 * node.timeoutNanos();
        while (waitsFor(node.index()) && connection != null && System.nanoTime() - tooLate < 0) {
            if (!connection.read(this, SLICE)) {
                Thread.onSpinWait();
            }
        }
        synchronized (this) {
            Answer answer = answers[node.index()];
            return answer == null ? new Answer.Failed(node.failure(), true) : answer;
        }
    }

    @Override
    public synchronized void answered(int node, Command command, Answer answer) {
        answers[node] = answer;
    }

    @Override
    public synchronized boolean waitsFor(int node) {
        return sent[node] && answers[node] == null;
    }
}
