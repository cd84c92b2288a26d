package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.internal.redis.Node;
import io.github.fencedwrite.internal.redis.ResourceKeys;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hears of releases by other clients, as a hint only: waiters attempt now and then all the same. One node is listened to at
 * a time, over the connection that it has anyway, since a release goes to all of them; if it fails, another one. Safe for
 * use by many threads.
 */
final class ReleaseSubscription implements WaitQueue.Watcher {

    private final NodeSet nodes;
    private final String prefix;
    /** How many queues are watched for each resource: one may begin before the one before it has ended. */
    private final Map<String, Integer> watched = new HashMap<>();

    private @Nullable Node current;

    ReleaseSubscription(NodeSet nodes, String prefix) {
        this.nodes = nodes;
        this.prefix = prefix;
    }

    /** Who is told of a release, in a step; set before the first use. */
    void listen(Consumer<String> listener) {
        for (Node node : nodes.all()) {
            node.listen(channel -> listener.accept(ResourceKeys.resourceOf(prefix, channel)), this::nodeChanged);
        }
    }

    @Override
    public void watch(String resource) {
        nodes.loop().submit(() -> {
            if (watched.merge(resource, 1, Integer::sum) == 1) {
                Node node = chosen();
                if (node != null) {
                    node.subscribe(ResourceKeys.channelOf(prefix, resource));
                }
            }
        });
    }

    @Override
    public void unwatch(String resource) {
        nodes.loop().submit(() -> {
            boolean last =
                    watched.computeIfPresent(resource, (name, queues) -> queues == 1 ? null : queues - 1) == null;
            if (last && current != null) {
                current.unsubscribe(ResourceKeys.channelOf(prefix, resource));
            }
        });
    }

    /** A node can be used again, or no longer. */
    private void nodeChanged() {
        if (!watched.isEmpty()) {
            var unused = chosen();
        }
    }

    /** The node that is listened to; another one hears of all resources first. */
    private @Nullable Node chosen() {
        if (current == null || !current.canListen()) {
            current = nodes.all().stream().filter(Node::canListen).findFirst().orElse(null);
            if (current != null) {
                Node node = current;
                watched.keySet().forEach(resource -> node.subscribe(ResourceKeys.channelOf(prefix, resource)));
            }
        }
        return current;
    }
}
