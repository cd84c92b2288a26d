package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.internal.redis.Background;
import io.github.fencedwrite.internal.redis.Node;
import io.github.fencedwrite.internal.redis.Sweeper;
import java.util.List;

/**
 * The nodes of a client and what serves them all.
 *
 * @param all in the order of the configuration; their number alone determines the quorum
 * @param sweeper reads what nobody waited for
 * @param background the client's threads
 */
public record NodeSet(List<Node> all, Sweeper sweeper, Background background) {

    int size() {
        return all.size();
    }

    Node get(int index) {
        return all.get(index);
    }
}
