package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.internal.loop.Waiter;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.redis.Node;
import io.github.fencedwrite.internal.redis.ReplyHandler;
import io.github.fencedwrite.internal.redis.ResourceKeys;
import java.util.ArrayList;
import java.util.List;

/** One command to all nodes, outside of any attempt, and what each of them answers within its timeout. Used once. */
final class Broadcast implements ReplyHandler {

    private final NodeSet nodes;
    private final Waiter<List<Answer>> waiter;
    private final List<Answer> answers = new ArrayList<>();

    private Broadcast(NodeSet nodes) {
        this.nodes = nodes;
        this.waiter = new Waiter<>(nodes.loop());
    }

    /** Sends and waits; the answers are in no particular order, and none is there of a node that let itself be waited for. */
    static List<Answer> of(NodeSet nodes, ResourceKeys keys, Command command) {
        Broadcast broadcast = new Broadcast(nodes);
        nodes.loop().submit(() -> {
            for (Node node : nodes.all()) {
                if (!node.send(broadcast, command, keys)) {
                    broadcast.answered(node.index(), command, new Answer.Failed(node.failure(), false));
                }
            }
        });
        long longest = 2 * nodes.get(0).timeoutNanos();
        nodes.loop().await(broadcast.waiter, nodes.loop().now() + longest, false);
        List<Answer> all = broadcast.waiter.result();
        return all == null ? List.of() : all;
    }

    @Override
    public void answered(int node, Command command, Answer answer) {
        answers.add(answer);
        if (answers.size() == nodes.size()) {
            waiter.settle(List.copyOf(answers));
        }
    }
}
