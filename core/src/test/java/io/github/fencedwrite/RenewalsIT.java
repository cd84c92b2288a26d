package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.params.SetParams;

/** Leases that are due together are extended together, and each for itself all the same. */
class RenewalsIT {

    private static final Duration TTL = Duration.ofSeconds(3);

    @RegisterExtension
    static final TestNodes nodes = new TestNodes(3);

    private final Map<String, Integer> extensions = new ConcurrentHashMap<>();
    private final Queue<String> lost = new ConcurrentLinkedQueue<>();
    private FencedLocks locks;

    @BeforeEach
    void connect() {
        locks = nodes.builder()
                .listener(new LeaseListener() {
                    @Override
                    public void extended(Lease lease) {
                        extensions.merge(lease.resource(), 1, Integer::sum);
                    }

                    @Override
                    public void lost(Lease lease) {
                        lost.add(lease.resource());
                    }
                })
                .build();
    }

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void manyExtensionsShareOneScriptOnANode() {
        List<Lease> leases = acquire(300, TTL);
        await().until(() -> allExtended(leases, 1));
        long calls = statistic("commandstats", "cmdstat_evalsha:calls=");
        long extended = statistic("commandstats", "cmdstat_pexpire:calls=");
        await().until(() -> allExtended(leases, 3));
        calls = statistic("commandstats", "cmdstat_evalsha:calls=") - calls;
        extended = statistic("commandstats", "cmdstat_pexpire:calls=") - extended;
        assertThat(extended).isGreaterThanOrEqualTo(500);
        assertThat(calls).as("scripts of a node for %d extensions", extended).isLessThan(extended / 3);
        assertThat(lost).isEmpty();
    }

    @Test
    void aLeaseThatLostItsLockIsLostAloneAmongMany() {
        List<Lease> leases = acquire(100, TTL);
        for (int node = 0; node < 2; node++) {
            Raw.on(
                    nodes.get(node),
                    jedis -> jedis.set(
                            "fenced-write:many-41:lock",
                            "somebody else",
                            SetParams.setParams().px(60_000)));
        }
        await().until(() -> lost.contains("many-41"));
        assertThat(leases.get(41).isValid()).isFalse();
        List<Lease> others = new ArrayList<>(leases);
        others.remove(41);
        await().until(() -> allExtended(others, 3));
        assertThat(others).allMatch(Lease::isValid);
        assertThat(lost).containsExactly("many-41");
    }

    @Test
    void releasesAndRenewalsOfTheSameLeasesLeaveNothing() throws InterruptedException, ExecutionException {
        Random random = new Random(Seed.of(this));
        List<Lease> leases = acquire(400, Duration.ofMillis(900));
        await().until(() -> allExtended(leases, 1));
        Collections.shuffle(leases, random);
        List<Future<ReleaseResult>> results = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (Lease lease : leases) {
                results.add(threads.submit(lease::release));
            }
            for (Future<ReleaseResult> result : results) {
                assertThat(result.get()).isEqualTo(ReleaseResult.RELEASED);
            }
        } finally {
            threads.shutdownNow();
        }
        nodes.awaitNoLocks();
        assertThat(lost).isEmpty();
    }

    @Test
    void aLeaseThatANodeLetsDownHoldsUpNoOther() {
        Duration ttl = Duration.ofSeconds(6);
        Map<String, Duration> left = new ConcurrentHashMap<>();
        try (FencedLocks patient = nodes.builder()
                .nodeTimeout(Duration.ofSeconds(2))
                .listener(new LeaseListener() {
                    @Override
                    public void extended(Lease lease) {
                        left.putIfAbsent(lease.resource(), lease.remaining());
                    }
                })
                .build()) {
            List<Lease> leases = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                leases.add(patient.acquire(
                        LeaseRequest.of("many-" + i, ttl).renewFor(Duration.ofMinutes(1)), Duration.ZERO));
            }
            // of three answers for each fourth lease one is no and one is missing, so its fate is open for two seconds
            for (int i = 0; i < 100; i += 4) {
                String lock = "fenced-write:many-" + i + ":lock";
                Raw.on(nodes.get(0), jedis -> jedis.del(lock));
            }
            nodes.get(1).pause();
            await().until(() -> left.size() == 75);
            assertThat(left.values()).allMatch(duration -> duration.toMillis() > 5_000);
            assertThat(leases).allMatch(Lease::isValid);
        }
    }

    @Test
    void aLeaseThatIsBusyWhenItIsDueIsRenewedLater() throws InterruptedException {
        Duration ttl = Duration.ofSeconds(6);
        try (FencedLocks patient = nodes.builder()
                .nodeTimeout(Duration.ofMillis(1_500))
                .listener(new LeaseListener() {
                    @Override
                    public void extended(Lease lease) {
                        extensions.merge(lease.resource(), 1, Integer::sum);
                    }
                })
                .build()) {
            Lease lease = patient.acquire(LeaseRequest.of("busy", ttl).renewFor(Duration.ofMinutes(1)), Duration.ZERO);
            await().until(() -> lease.remaining().toMillis() < 5_000);
            nodes.get(0).pause();
            nodes.get(1).pause();
            // asks the nodes until they have timed out at 3.5 s; the renewal is due at 4
            Thread report = new Thread(() -> lease.reportStale(lease.token().value() + 1));
            report.start();
            report.join();
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofMillis(3_800));
            assertThat(extensions).isEmpty();
            nodes.get(0).resume();
            nodes.get(1).resume();
            await().until(() -> extensions.getOrDefault("busy", 0) >= 2);
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void aBrokenListenerOfOneLeaseHarmsNoOther() {
        try (FencedLocks broken = nodes.builder()
                .listener(new LeaseListener() {
                    @Override
                    public void extended(Lease lease) {
                        extensions.merge(lease.resource(), 1, Integer::sum);
                        throw new AssertionError("the application's own, on purpose");
                    }
                })
                .build()) {
            List<Lease> leases = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                leases.add(broken.acquire(
                        LeaseRequest.of("broken-" + i, Duration.ofMillis(900)).renewFor(Duration.ofMinutes(1)),
                        Duration.ZERO));
            }
            await().until(() -> allExtended(leases, 3));
            assertThat(leases).allMatch(lease -> lease.release() == ReleaseResult.RELEASED);
        }
    }

    private List<Lease> acquire(int count, Duration ttl) {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            leases.add(locks.acquire(LeaseRequest.of("many-" + i, ttl).renewFor(Duration.ofMinutes(1)), Duration.ZERO));
        }
        return leases;
    }

    private boolean allExtended(List<Lease> leases, int times) {
        return leases.stream().allMatch(lease -> extensions.getOrDefault(lease.resource(), 0) >= times);
    }

    private static long statistic(String section, String start) {
        return Raw.on(nodes.get(0), jedis -> jedis.info(section))
                .lines()
                .filter(line -> line.startsWith(start))
                .mapToLong(line -> Long.parseLong(
                        line.substring(start.length()).split(",")[0].trim()))
                .sum();
    }
}
