package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Leases cost no threads. */
class ManyLeasesIT {

    private static final int LEASES = 10_000;

    @RegisterExtension
    static final TestNodes nodes = new TestNodes(3);

    private final Set<String> extended = ConcurrentHashMap.newKeySet();
    private final Set<String> lost = ConcurrentHashMap.newKeySet();

    @Test
    void tenThousandRenewingLeasesNeedAHandfulOfThreads() {
        int before = Thread.activeCount();
        List<Lease> leases = new ArrayList<>();
        try (FencedLocks locks = nodes.builder()
                .nodeTimeout(Duration.ofSeconds(2))
                .listener(new LeaseListener() {
                    @Override
                    public void extended(Lease lease) {
                        extended.add(lease.resource());
                    }

                    @Override
                    public void lost(Lease lease) {
                        lost.add(lease.resource());
                    }
                })
                .build()) {
            for (int i = 0; i < LEASES; i++) {
                leases.add(locks.acquire(
                        LeaseRequest.of("many:" + i, Duration.ofSeconds(24)).renewFor(Duration.ofMinutes(10)),
                        Duration.ZERO));
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> extended.size() == LEASES);
            assertThat(lost).isEmpty();
            assertThat(leases).allMatch(Lease::isValid);
            assertThat(Thread.activeCount() - before).isLessThan(15);
            leases.forEach(Lease::close);
            nodes.awaitNoLocks();
        }
    }
}
