package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.internal.lease.Conversation.ConnectionUse;
import io.github.fencedwrite.internal.protocol.Event;
import io.github.fencedwrite.internal.protocol.Verdict;
import io.github.fencedwrite.internal.redis.Node;
import io.github.fencedwrite.internal.redis.NodeConnection;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Extends many leases at once. They share one connection per node, one write and, as a rule, one read. What became of one is
 * told as soon as it is decided: the others need not wait for one that a node has let down.
 */
final class JointExtension {

    private JointExtension() {}

    /**
     * Extends the leases of {@code conversations}.
     *
     * @param nodes those of all the conversations
     * @param decided takes the position of a conversation, and the verdict; from then on it may be used for something else
     */
    static void of(NodeSet nodes, List<Conversation> conversations, ObjIntConsumer<Verdict> decided) {
        @Nullable NodeConnection[] shared = new @Nullable NodeConnection[nodes.size()];
        List<Integer> open = new ArrayList<>();
        try {
            for (Node node : nodes.all()) {
                shared[node.index()] = node.take();
            }
            List<int[]> orders = new ArrayList<>();
            forEach(shared, (index, connection) -> connection.gather());
            try {
                for (int i = 0; i < conversations.size(); i++) {
                    open.add(i);
                    orders.add(conversations.get(i).begin(new Event.Extend(), index -> shared[index]));
                }
            } finally {
                forEach(shared, (index, connection) -> connection.sendGathered());
            }
            while (!open.isEmpty()) {
                for (Iterator<Integer> each = open.iterator(); each.hasNext(); ) {
                    int i = each.next();
                    Verdict verdict = conversations.get(i).readOnce(orders.get(i));
                    if (verdict != null) {
                        each.remove();
                        conversations.get(i).leaveConnections((index, connection) -> {});
                        decided.accept(verdict, i);
                    }
                }
            }
        } finally {
            open.forEach(i -> conversations.get(i).leaveConnections((index, connection) -> {}));
            forEach(shared, (index, connection) -> nodes.get(index).giveBack(connection));
        }
    }

    private static void forEach(@Nullable NodeConnection[] connections, ConnectionUse use) {
        for (int i = 0; i < connections.length; i++) {
            NodeConnection connection = connections[i];
            if (connection != null) {
                use.of(i, connection);
            }
        }
    }
}
