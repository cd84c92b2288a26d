package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.internal.loop.Loop;
import io.github.fencedwrite.internal.redis.Node;
import java.util.List;

/**
 * The nodes of a client and the loop that serves them all.
 *
 * @param all in the order of the configuration; their number alone determines the quorum
 * @param loop talks to all of them
 */
public record NodeSet(List<Node> all, Loop loop) {

    int size() {
        return all.size();
    }

    Node get(int index) {
        return all.get(index);
    }
}
