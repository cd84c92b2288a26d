package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Entering a fence row while a cleanup deletes it, in each order, and in no order at all. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("contract")
class FenceRowAndCleanupIT {

    private final TestDatabase database = TestDatabase.withFencing();
    private long old;

    @BeforeAll
    void readTheClock() {
        old = Long.parseLong(database.ask("SELECT (extract(epoch FROM now() - interval '60 days') * 1000000)::bigint"));
        database.run("CREATE TABLE entries (place bigserial, resource text, token bigint)");
    }

    @BeforeEach
    void forget() {
        database.run("TRUNCATE fencing.fence, entries", "UPDATE fencing.fence_floor SET last_token = 0");
        store("order:1", old + 5);
    }

    @ParameterizedTest
    @EnumSource
    void whoComesWhileTheRowIsBeingDeletedNeedsATokenAboveTheFloor(FenceRowEntry way) throws Exception {
        for (long token : new long[] {old + 5, old + 6}) {
            store("order:1", old + 5);
            try (Session cleaner = database.session();
                    Session late = database.session()) {
                cleaner.run("BEGIN", "SELECT fencing.cleanup()");
                late.run("BEGIN");
                Future<Boolean> entering = CompletableFuture.supplyAsync(() -> way.enter(late, "order:1", token));
                awaitBlocked();
                cleaner.run("COMMIT");

                // the very token that was deleted is refused too: nobody can tell who else has had it
                assertThat(entering.get()).as("token %d", token - old).isEqualTo(token > old + 5);
                assertAnnounced(late, token > old + 5 ? token : null);
                late.run("COMMIT");
            }
        }
        assertThat(fence()).isEqualTo("order:1 " + (old + 6));
    }

    @ParameterizedTest
    @EnumSource
    void whoComesWhileACleanupIsRolledBackFindsTheRow(FenceRowEntry way) throws Exception {
        try (Session cleaner = database.session();
                Session late = database.session()) {
            cleaner.run("BEGIN", "SELECT fencing.cleanup()");
            late.run("BEGIN");
            Future<Boolean> entering = CompletableFuture.supplyAsync(() -> way.enter(late, "order:1", old + 5));
            awaitBlocked();
            cleaner.run("ROLLBACK");

            assertThat(entering.get()).isTrue();
            late.run("COMMIT");
        }
        assertThat(fence()).isEqualTo("order:1 " + (old + 5));
    }

    @ParameterizedTest
    @EnumSource
    void whoHasEnteredKeepsTheRowFromTheCleanup(FenceRowEntry way) {
        try (Session holder = database.session()) {
            holder.run("BEGIN");
            assertThat(way.enter(holder, "order:1", old + 6)).isTrue();

            assertThat(database.ask("SELECT fencing.cleanup()")).isEqualTo("0");
            holder.run("COMMIT");
        }
        assertThat(fence()).isEqualTo("order:1 " + (old + 6));
        assertThat(database.ask("SELECT fencing.cleanup()")).isEqualTo("1");
        assertThat(database.ask("SELECT last_token FROM fencing.fence_floor")).isEqualTo("" + (old + 6));
    }

    @ParameterizedTest
    @EnumSource
    void whoComesAfterTheCleanupNeedsATokenAboveTheFloor(FenceRowEntry way) {
        database.run("SELECT fencing.cleanup()");
        for (String resource : new String[] {"order:1", "order:2"}) {
            try (Session late = database.session()) {
                late.run("BEGIN");
                assertThat(way.enter(late, resource, old + 5)).isFalse();
                assertAnnounced(late, null);
                assertThat(way.enter(late, resource, old + 6)).isTrue();
                late.run("COMMIT");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoWaitsForAnotherHolderLosesToAGreaterToken(FenceRowEntry way) throws Exception {
        for (boolean commits : new boolean[] {true, false}) {
            forget();
            try (Session first = database.session();
                    Session late = database.session()) {
                first.run("BEGIN");
                assertThat(way.enter(first, "order:1", old + 8)).isTrue();
                late.run("BEGIN");
                Future<Boolean> entering = CompletableFuture.supplyAsync(() -> way.enter(late, "order:1", old + 7));
                awaitBlocked();
                first.run(commits ? "COMMIT" : "ROLLBACK");

                assertThat(entering.get()).isEqualTo(!commits);
                assertAnnounced(late, commits ? null : old + 7);
                late.run("COMMIT");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void snapshotsFromBeforeTheCleanupCannotEnter(FenceRowEntry way) {
        try (Session stale = database.session()) {
            stale.run("BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT 1 FROM fencing.fence_floor");
            database.run("SELECT fencing.cleanup()");

            Refusals.failed("40001", () -> way.enter(stale, "order:1", old + 6));
        }
        assertThat(fence()).isNull();
    }

    /**
     * Holders of old tokens and cleanups, all at once. Each entry is recorded under the lock of its fence row, so that
     * the records of one resource are in the order in which the holders were let in.
     */
    @ParameterizedTest
    @EnumSource
    void noTokenIsEverFollowedByAnOlderOne(FenceRowEntry way) throws Exception {
        long seed = Long.getLong("seed", 0L) == 0 ? System.nanoTime() : Long.getLong("seed");
        System.out.println("seed " + seed + " " + way);
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<Integer>> holders = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                Random random = new Random(seed + i);
                holders.add(threads.submit(() -> enterOften(way, random)));
            }
            int deleted = 0;
            while (holders.stream().anyMatch(holder -> !holder.isDone())) {
                deleted += deleteSome();
            }
            int entered = 0;
            for (Future<Integer> holder : holders) {
                entered += holder.get();
            }
            System.out.println("entered " + entered + ", deleted " + deleted);
            assertThat(deleted).isPositive();
            assertThat(database.ask("SELECT count(*) FROM entries")).isEqualTo("" + entered);
        } finally {
            threads.shutdownNow();
        }
        assertThat(database.ask("""
                SELECT string_agg(format('%s: %s after %s', resource, token, before), ', ') FROM (
                    SELECT resource, token, max(token) OVER (PARTITION BY resource ORDER BY place
                        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM entries) AS e
                WHERE token < before""")).isNull();
    }

    private int enterOften(FenceRowEntry way, Random random) {
        int entered = 0;
        try (Session session = database.session()) {
            for (int i = 0; i < 1000; i++) {
                String resource = "order:" + random.nextInt(3);
                // mostly rising, so that many are let in, with stale ones in between
                long token = old + 10 * i + random.nextInt(200);
                session.run("BEGIN");
                if (way.enter(session, resource, token)) {
                    session.run("INSERT INTO entries (resource, token) VALUES ('" + resource + "', " + token + ")");
                    entered++;
                }
                session.run("COMMIT");
            }
        }
        return entered;
    }

    private int deleteSome() {
        try {
            return Integer.parseInt(database.ask("SELECT fencing.cleanup('30 days', 2)"));
        } catch (SqlFailure busy) {
            assertThat(busy.state()).isEqualTo("55P03");
            return 0;
        }
    }

    private void store(String resource, long token) {
        database.run("DELETE FROM fencing.fence WHERE resource = '" + resource + "'");
        database.run("INSERT INTO fencing.fence VALUES ('" + resource + "', " + token + ")");
    }

    private String fence() {
        return database.ask(
                "SELECT string_agg(resource || ' ' || last_token, ', ' ORDER BY resource) FROM fencing.fence");
    }

    private static void assertAnnounced(Session session, Long token) {
        assertThat(session.ask("SELECT nullif(current_setting('fencing.token', true), '')"))
                .isEqualTo(token == null ? null : token.toString());
    }

    private void awaitBlocked() {
        await().until(() -> database.ask("SELECT count(*) FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid)"
                        + " WHERE NOT l.granted AND a.datname = current_database()")
                .equals("1"));
    }
}
