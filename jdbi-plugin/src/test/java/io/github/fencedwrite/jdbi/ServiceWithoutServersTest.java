package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.InMemoryLocks;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The unit test of a service that the README of core shows, with the service and its DAO, compiled and run. */
class ServiceWithoutServersTest {

    @Test
    void standsInTheReadmeAsItIsHere() throws IOException {
        String here =
                Files.readString(Path.of("src/test/java/io/github/fencedwrite/jdbi/ServiceWithoutServersTest.java"));
        String readme = Files.readString(Path.of("../core/README.md"));
        String section = readme.substring(readme.indexOf("## Testing without servers"));
        var blocks = Pattern.compile("(?ms)^```java\\n(.*?)^```$")
                .matcher(section.substring(0, section.indexOf("\n## ", 1)))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(blocks).hasSize(2);
        assertThat(blocks).allSatisfy(block -> assertThat(withoutLayout(here)).contains(withoutLayout(block)));
    }

    private static String withoutLayout(String code) {
        return code.replaceAll("static (?=class)", "").replaceAll("\\s+", "");
    }

    interface StockDao {

        @Claim
        @SqlQuery("SELECT stock FROM inventory WHERE sku = :sku")
        int claim(String sku, Lease lease);

        @Fenced(mode = FenceMode.CLAIMED)
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        WriteOutcome setStock(String sku, int stock, Lease lease);
    }

    static class StockService {

        private final FencedLocks locks;
        private final StockDao dao;

        StockService(FencedLocks locks, StockDao dao) {
            this.locks = locks;
            this.dao = dao;
        }

        /** False if somebody else took over meanwhile, so that nothing was written. */
        boolean take(String sku, int quantity) {
            try (Lease lease = locks.acquire("sku:" + sku, Duration.ofSeconds(10), Duration.ofSeconds(2))) {
                int left = dao.claim(sku, lease) - quantity;
                return dao.setStock(sku, left, lease).isApplied();
            }
        }
    }

    @Nested
    class StockServiceTest {

        final ManualClock clock = ManualClock.create();
        final InMemoryLocks locks = FencedLocks.inMemory(clock);
        final StockInMemory dao = new StockInMemory();
        final StockService service = new StockService(locks, dao);

        @Test
        void takesFromStock() {
            assertThat(service.take("4711", 3)).isTrue();
            assertThat(dao.stock).containsEntry("4711", 7);
        }

        @Test
        void aHolderThatWasPausedForTooLongWritesNothing() {
            dao.beforeWrite = () -> { // the service has read and is about to write
                dao.beforeWrite = () -> {};
                locks.expireUnnoticed("sku:4711"); // its lease still says that it is valid
                assertThat(service.take("4711", 1)).isTrue(); // somebody else is faster
            };
            assertThat(service.take("4711", 3)).isFalse();
            assertThat(dao.stock).containsEntry("4711", 9);
        }

        @Test
        void waitsNoLongerThanTwoSeconds() {
            Lease other = locks.acquire("sku:4711", Duration.ofSeconds(10), Duration.ZERO);
            var before = clock.instant();
            assertThatThrownBy(() -> service.take("4711", 3)).isInstanceOf(LockNotAcquiredException.class);
            assertThat(clock.instant()).isEqualTo(before.plusSeconds(2)); // without a real second
            clock.advance(other.remaining()); // the other one never released it
            assertThat(service.take("4711", 3)).isTrue();
        }
    }

    /** A table in memory that refuses older tokens, as guarded statements do. */
    static class StockInMemory implements StockDao {

        final Map<String, Integer> stock = new HashMap<>(Map.of("4711", 10));
        final Map<String, FencingToken> tokens = new HashMap<>();
        Runnable beforeWrite = () -> {};

        @Override
        public int claim(String sku, Lease lease) {
            tokens.merge(sku, lease.token(), (a, b) -> a.isNewerThan(b) ? a : b);
            return stock.get(sku);
        }

        @Override
        public WriteOutcome setStock(String sku, int value, Lease lease) {
            beforeWrite.run();
            FencingToken stored = tokens.get(sku);
            if (stored.isNewerThan(lease.token())) {
                return new WriteOutcome.Stale(lease.token(), stored);
            }
            stock.put(sku, value);
            return new WriteOutcome.Applied(1);
        }
    }
}
