package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Protecting a table of a million rows that is being read and written. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BusyTableIT {

    /** The lock timeout of one try, and as much again for two busy cores. */
    private static final String LIMIT = "200ms";

    private final TestDatabase database = TestDatabase.withFencing();
    private final ExecutorService background = Executors.newCachedThreadPool();
    private Traffic traffic;

    @BeforeAll
    void fill() {
        database.run(
                "CREATE TABLE item (id int PRIMARY KEY, stock int NOT NULL)",
                "INSERT INTO item SELECT n, n FROM generate_series(1, 1000000) AS n",
                "VACUUM ANALYZE item");
        traffic = Traffic.on(database.dataSource(), LIMIT);
    }

    @AfterAll
    void stop() throws Exception {
        traffic.close();
        background.shutdownNow();
    }

    @Test
    @Order(1)
    void nobodyWaitsLongerThanTheLockTimeoutWhileProtectWaitsForALongReader() throws Exception {
        String file = database.ask("SELECT pg_relation_filenode('item')");
        Future<String> done;
        try (Session reader = database.session()) {
            reader.run("BEGIN", "SELECT 1 FROM item LIMIT 1");
            done = background.submit(() -> database.ask("SELECT fencing.protect('item')"));
            // several tries in vain: each lets go of everything before the next one
            for (int i = 0; i < 3; i++) {
                awaitWaiting(true);
                awaitWaiting(false);
            }
            assertThat(done.isDone()).isFalse();
            reader.run("COMMIT");
        }

        assertThat(done.get()).isEqualTo("public.item is protected, column last_token added");
        traffic.assertNoRequestFailed();
        assertThat(database.ask("SELECT pg_relation_filenode('item')")).isEqualTo(file);
        assertThat(database.ask("SELECT (detail ->> 'tries')::int >= 3 FROM fencing.audit WHERE action = 'protect'"))
                .isEqualTo("t");
    }

    @Test
    @Order(2)
    void enforcingWaitsForALongWriterWithoutAQueue() throws Exception {
        Future<String> done;
        try (Session writer = database.session()) {
            writer.run("BEGIN", "UPDATE item SET stock = 0 WHERE id = 1000000");
            done = background.submit(() -> database.ask("SELECT fencing.enforce('item', 'monotonic')"));
            for (int i = 0; i < 2; i++) {
                awaitWaiting(true);
                awaitWaiting(false);
            }
            writer.run("COMMIT");
        }

        assertThat(done.get()).contains("mode monotonic");
        traffic.assertNoRequestFailed();
    }

    @Test
    @Order(3)
    void givesUpWhenItsPatienceIsOverAndLeavesTheTableAsItWas() {
        try (Session reader = database.session()) {
            reader.run("BEGIN", "SELECT 1 FROM item LIMIT 1");

            SqlFailure failure = refused(
                    "WF105", () -> database.run("SELECT fencing.protect('item', 'other_token', '0.5 seconds')"));

            assertThat(failure.hint()).contains("pg_stat_activity");
            reader.run("COMMIT");
        }
        assertThat(database.ask("SELECT count(*) FROM fencing.protected_tables"))
                .isEqualTo("1");
        traffic.assertNoRequestFailed();
    }

    @Test
    @Order(4)
    void protectHoldsItsLockForMilliseconds() {
        long fastest = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            try (Session session = database.session()) {
                session.run("SELECT fencing.version()");
                long start = System.nanoTime();
                session.run("SELECT fencing.protect('item', 'token_" + i + "')");
                fastest = Math.min(fastest, System.nanoTime() - start);
            }
        }
        System.out.printf("protect of a million rows under load: %.1f ms in all%n", fastest / 1e6);
        assertThat(fastest / 1_000_000)
                .as("milliseconds; writing the rows anew takes seconds")
                .isLessThan(500);
        traffic.assertNoRequestFailed();
    }

    /** The control: the limit does notice a queue. Last, since it leaves failures behind. */
    @Test
    @Order(5)
    void plainAlterTableMakesTheQueueThatProtectAvoids() {
        try (Session reader = database.session()) {
            reader.run("BEGIN", "SELECT 1 FROM item LIMIT 1");
            Future<?> plain = background.submit(
                    () -> database.run("ALTER TABLE item ADD COLUMN plain bigint NOT NULL DEFAULT 0"));

            await().until(() -> !traffic.failures().isEmpty());
            assertThat(traffic.failures().peek()).hasMessageContaining("lock timeout");
            reader.run("COMMIT");
            await().until(plain::isDone);
        }
    }

    private void awaitWaiting(boolean waiting) {
        await().until(() -> database.ask(
                        "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND locktype = 'relation'"
                                + " AND relation = 'item'::regclass AND mode IN ('AccessExclusiveLock', 'ShareRowExclusiveLock'))")
                .equals(waiting ? "t" : "f"));
    }
}
