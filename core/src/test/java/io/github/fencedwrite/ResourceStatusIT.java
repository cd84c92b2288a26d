package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who holds what, and a release by force: from Java, and with the README's commands for redis-cli. */
@Tag("jedis")
class ResourceStatusIT {

    private static final Duration TTL = Duration.ofSeconds(20);
    private static final String README = Readme.text(Path.of("README.md"));

    @RegisterExtension
    static final TestNodes nodes = new TestNodes(3);

    private FencedLocks holder;
    private FencedLocks other;

    @BeforeEach
    void connect() {
        holder = nodes.builder().holderLabel("web-1 pid 4711").build();
        other = nodes.client();
    }

    @AfterEach
    void close() {
        holder.close();
        other.close();
    }

    @Test
    void showsWhoHoldsAResourceOnEachNode() {
        Lease lease = holder.acquire("sku:4711", TTL, Duration.ZERO);
        await().until(() -> other.resourceStatus("sku:4711").nodes().stream()
                .allMatch(node -> node.holder().isPresent()));
        ResourceStatus status = other.resourceStatus("sku:4711");
        assertThat(status.holder()).hasValueSatisfying(found -> {
            assertThat(found.owner()).matches("[0-9a-f]{32}");
            assertThat(found.label()).isEqualTo("web-1 pid 4711");
            assertThat(found.remaining().orElseThrow()).isBetween(TTL.dividedBy(2), TTL);
        });
        assertThat(status.counter()).hasValue(lease.token().value());
        assertThat(status.nodes())
                .extracting(ResourceStatus.OnNode::node)
                .containsExactly(nodes.name(0), nodes.name(1), nodes.name(2));

        lease.close();
        await().until(() -> other.resourceStatus("sku:4711").nodes().stream()
                .allMatch(node -> node.holder().isEmpty()));
        assertThat(other.resourceStatus("sku:4711").holder()).isEmpty();
        assertThat(other.resourceStatus("never used").counter()).isEmpty();
    }

    @Test
    void showsANodeThatDoesNotSay() {
        holder.acquire("r", TTL, Duration.ZERO);
        nodes.get(2).kill();
        ResourceStatus status = other.resourceStatus("r");
        assertThat(status.nodes().get(2).failure()).isPresent();
        assertThat(status.nodes().get(2).holder()).isEmpty();
        assertThat(status.nodes().get(0).failure()).isEmpty();
    }

    @Test
    void namesTheLeasesThatThisClientHolds() {
        Lease first = holder.acquire("a", TTL, Duration.ZERO);
        Lease second = holder.acquire("b", TTL, Duration.ZERO);
        assertThat(holder.heldLeases()).containsExactlyInAnyOrder(first, second);
        assertThat(other.heldLeases()).isEmpty();
        first.close();
        assertThat(holder.heldLeases()).containsExactly(second);
    }

    @Test
    void aReleaseByForceLetsTheNextOneInWithAGreaterToken() {
        Lease old = holder.acquire(LeaseRequest.of("r", TTL).renewFor(Duration.ofMinutes(1)), Duration.ZERO);
        assertThat(other.tryAcquire("r", TTL)).isEmpty();
        assertThat(other.forceRelease("r")).isEqualTo(ReleaseResult.RELEASED);
        Lease next = other.acquire("r", TTL, Duration.ofSeconds(5));
        assertThat(next.token().value()).isGreaterThan(old.token().value() + 1);
        assertThat(old.release()).isEqualTo(ReleaseResult.NOT_HELD);
        assertThat(next.isValid()).isTrue();
    }

    @Test
    void aReleaseByForceOfWhatNobodyHoldsIsToldAsSuch() {
        assertThat(other.forceRelease("nobody's")).isEqualTo(ReleaseResult.NOT_HELD);
        assertThat(Raw.keys(nodes.get(0))).noneMatch(key -> key.contains("nobody's"));
        assertThatIllegalArgumentException().isThrownBy(() -> other.forceRelease(""));
        nodes.get(0).pause();
        nodes.get(1).pause();
        assertThat(other.forceRelease("nobody's")).isEqualTo(ReleaseResult.UNCONFIRMED);
    }

    @Test
    void aForeignLockWithoutExpiryIsShownAndReleased() {
        Raw.onAll(nodes, jedis -> jedis.set("fenced-write:r:lock", "by hand "));
        assertThat(other.resourceStatus("r").holder())
                .isEqualTo(Optional.of(new LockHolder("by", "hand ", Optional.empty())));
        assertThat(other.forceRelease("r")).isEqualTo(ReleaseResult.RELEASED);
        assertThat(other.tryAcquire("r", TTL)).isPresent();
    }

    @Test
    void anOperatorSeesWhoHoldsALockAndReleasesItWithRedisCliAlone() {
        Lease old = holder.acquire("sku:4711", TTL, Duration.ZERO);
        List<String> look = Readme.commands(README, "**Who holds a lock**");
        List<String> release = Readme.commands(README, "**Release a lock by force**");
        for (int i = 0; i < 3; i++) {
            List<String> said = RedisCli.run(nodes.get(i), look);
            if (Raw.locks(nodes.get(i)).contains("fenced-write:sku:4711:lock")) {
                assertThat(said.get(0)).matches("[0-9a-f]{32} web-1 pid 4711");
                assertThat(Long.parseLong(said.get(1))).isBetween(1L, TTL.toMillis());
                assertThat(said.get(2)).isEqualTo(old.token().toString());
            }
        }
        nodes.all().forEach(node -> RedisCli.run(node, release));
        Lease next = other.acquire("sku:4711", TTL, Duration.ofSeconds(5));
        assertThat(next.token().value()).isGreaterThan(old.token().value() + 1);
        assertThat(old.release()).isEqualTo(ReleaseResult.NOT_HELD);
        // where no counter was, none is made: it would hide the loss
        Raw.onAll(nodes, jedis -> jedis.del("fenced-write:sku:4711:token"));
        nodes.all().forEach(node -> RedisCli.run(node, release));
        assertThat(Raw.keys(nodes.get(0))).doesNotContain("fenced-write:sku:4711:token");
    }
}
