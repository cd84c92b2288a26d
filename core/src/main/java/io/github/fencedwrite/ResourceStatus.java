package io.github.fencedwrite;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How a resource looks on the nodes. By the time that it is read it may be out of date.
 *
 * @param resource what was looked at
 * @param nodes one per node, in the order of the configuration
 */
public record ResourceStatus(String resource, List<OnNode> nodes) {

    /** The list is copied. */
    public ResourceStatus {
        nodes = List.copyOf(nodes);
    }

    /**
     * What one node says.
     *
     * @param node host and port
     * @param holder who holds the lock there, empty if nobody does or the node did not say
     * @param counter the greatest token that the node has heard of, empty if it knows none
     * @param failure why the node did not say, empty if it did
     */
    public record OnNode(
            String node, Optional<LockHolder> holder, OptionalLong counter, Optional<NodeFailure> failure) {}

    /** Who holds the lock on a quorum of the nodes; empty if nobody does, or too few nodes said. */
    public Optional<LockHolder> holder() {
        Map<String, Integer> votes = new HashMap<>();
        for (OnNode each : nodes) {
            each.holder().ifPresent(holder -> votes.merge(holder.owner(), 1, Integer::sum));
        }
        int quorum = nodes.size() / 2 + 1;
        return nodes.stream()
                .flatMap(each -> each.holder().stream())
                .filter(holder -> votes.getOrDefault(holder.owner(), 0) >= quorum)
                .findFirst();
    }

    /** The greatest token that any node has heard of, empty if none has. */
    public OptionalLong counter() {
        return nodes.stream().flatMapToLong(each -> each.counter().stream()).max();
    }
}
