package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.Data;
import io.github.fencedwrite.examples.servers.RedisNode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The nodes of a test class: registered as a static field, they are started once and emptied before each test; as an
 * instance field, each test has new ones, which it may spoil for good.
 */
final class TestNodes implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

    private final int count;
    private RedisNodes nodes;
    private boolean shared;

    TestNodes(int count) {
        this.count = count;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        shared = true;
        nodes = RedisNodes.start(count);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (shared) {
            Raw.flush(nodes);
        } else {
            nodes = RedisNodes.start(count);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (!shared) {
            nodes.close();
            return;
        }
        for (RedisNode node : all()) {
            if (node.isRunning()) {
                node.resume();
            } else {
                node.restart(Data.LOST);
            }
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        nodes.close();
    }

    RedisNodes redis() {
        return nodes;
    }

    RedisNode get(int index) {
        return nodes.get(index);
    }

    List<RedisNode> all() {
        return nodes.all();
    }

    List<String> uris() {
        return nodes.uris();
    }

    /** The name of a node in messages. */
    String name(int index) {
        return get(index).host() + ":" + get(index).port();
    }

    /** A client of these nodes without quarantine, since they were started empty a moment ago. */
    FencedLocksBuilder builder() {
        return FencedLocks.builder().nodes(uris()).quarantine(false);
    }

    FencedLocks client() {
        return builder().build();
    }

    void assertNoLocks() {
        for (RedisNode node : all()) {
            assertThat(Raw.locks(node)).as("locks on %s", node).isEmpty();
        }
    }

    /** Releases that nobody waits for arrive a little later. */
    void awaitNoLocks() {
        await().atMost(Duration.ofSeconds(10)).untilAsserted(this::assertNoLocks);
    }
}
