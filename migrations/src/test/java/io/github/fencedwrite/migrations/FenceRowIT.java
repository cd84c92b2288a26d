package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Fence-row transactions, and the cleanup of the fence table under a floor. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("contract")
class FenceRowIT {

    private final TestDatabase database = TestDatabase.withFencing();
    private long old;
    private long recent;

    @BeforeAll
    void readTheClock() {
        recent = Long.parseLong(database.ask("SELECT (extract(epoch FROM now()) * 1000000)::bigint"));
        old = recent - 60L * 24 * 3600 * 1_000_000;
    }

    @BeforeEach
    void forget() {
        database.run("DELETE FROM fencing.fence", "SELECT fencing.rebase_floor(0)", "DELETE FROM fencing.audit");
    }

    @Test
    void entersWithANewerOrTheSameTokenAndNotWithAnOlderOne() {
        assertThat(enter("order:1", 33)).isEqualTo("true 33 true");
        assertThat(enter("order:1", 33)).isEqualTo("true 33 true");
        assertThat(enter("order:1", 34)).isEqualTo("true 34 true");
        assertThat(enter("order:1", 33)).isEqualTo("false 34 false");
        assertThat(enter("order:2", 1)).isEqualTo("true 1 true");
    }

    @Test
    void announcesTheTokenUntilTheTransactionEnds() {
        try (Session session = database.session()) {
            assertThat(session.ask("SELECT current_setting('fencing.token', true)"))
                    .isNull();
            session.run("BEGIN");
            enter(session, "order:1", 33);
            assertThat(session.ask("SELECT current_setting('fencing.token', true)"))
                    .isEqualTo("33");
            session.run("COMMIT");
            assertThat(session.ask("SELECT current_setting('fencing.token', true)"))
                    .isEmpty();
            session.run("BEGIN");
            assertThat(enter(session, "order:1", 32)).startsWith("false");
            assertThat(session.ask("SELECT current_setting('fencing.token', true)"))
                    .isEmpty();
            session.run("COMMIT");
        }
    }

    @Test
    void staysLockedUntilTheTransactionEnds() {
        try (Session first = database.session();
                Session second = database.session()) {
            first.run("BEGIN");
            enter(first, "order:1", 33);
            Future<String> later = CompletableFuture.supplyAsync(() -> enter(second, "order:1", 34));
            awaitBlocked();
            assertThat(later.isDone()).isFalse();
            first.run("COMMIT");

            await().until(later::isDone);
            assertThat(enter("order:1", 33)).isEqualTo("false 34 false");
        }
    }

    @Test
    void tellsTheFateOfItsTransactionOnAnotherConnection() {
        try (Session session = database.session()) {
            for (String end : new String[] {"COMMIT", "ROLLBACK"}) {
                session.run("BEGIN");
                String id = session.ask("SELECT transaction_id FROM fencing.enter('order:1', 33)");
                assertThat(database.ask("SELECT pg_xact_status('" + id + "'::xid8)"))
                        .isEqualTo("in progress");
                session.run(end);
                assertThat(database.ask("SELECT pg_xact_status('" + id + "'::xid8)"))
                        .isEqualTo(end.equals("COMMIT") ? "committed" : "aborted");
            }
        }
    }

    @Test
    void forgetsOldResourcesAndRefusesTheirOldTokensAfterwards() {
        enter("order:1", old);
        enter("order:2", old + 5);
        enter("order:3", recent);

        assertThat(database.ask("SELECT fencing.cleanup()")).isEqualTo("2");

        assertThat(database.ask("SELECT string_agg(resource, ' ') FROM fencing.fence"))
                .isEqualTo("order:3");
        assertThat(enter("order:1", old)).isEqualTo("false " + (old + 5) + " false");
        assertThat(enter("order:9", old + 5)).isEqualTo("false " + (old + 5) + " false");
        assertThat(enter("order:1", old + 6)).isEqualTo("true " + (old + 6) + " true");
        assertThat(database.ask("SELECT count(*) FROM fencing.fence WHERE resource = 'order:9'"))
                .isEqualTo("0");
    }

    @Test
    void cleansUpInPortions() {
        for (int i = 4; i >= 0; i--) {
            enter("order:" + i, old + i);
        }
        assertThat(database.ask("SELECT fencing.cleanup('30 days', 2)")).isEqualTo("2");
        assertThat(database.ask("SELECT fencing.cleanup('30 days', 2)")).isEqualTo("2");
        assertThat(database.ask("SELECT fencing.cleanup('30 days', 2)")).isEqualTo("1");
        assertThat(database.ask("SELECT fencing.cleanup('30 days', 2)")).isEqualTo("0");
        assertThat(database.ask("SELECT last_token FROM fencing.fence_floor"))
                .as("the greatest, whichever was deleted last")
                .isEqualTo(String.valueOf(old + 4));
    }

    @Test
    void announcesNothingWhereTheFloorRefuses() {
        enter("order:1", old);
        database.run("SELECT fencing.cleanup()");
        try (Session session = database.session()) {
            session.run("BEGIN");
            assertThat(enter(session, "order:1", old)).startsWith("false");
            assertThat(session.ask("SELECT current_setting('fencing.token', true)"))
                    .isNullOrEmpty();
        }
    }

    @Test
    void letsNoOldTokenThroughWhileItsRowIsBeingDeleted() throws Exception {
        enter("order:1", old + 5);
        try (Session cleaner = database.session();
                Session stale = database.session()) {
            cleaner.run("BEGIN", "SELECT fencing.cleanup()");
            Future<String> entering = CompletableFuture.supplyAsync(() -> enter(stale, "order:1", old + 5));
            awaitBlocked();
            cleaner.run("COMMIT");

            await().until(entering::isDone);
            assertThat(entering.get()).isEqualTo("false " + (old + 5) + " false");
        }
    }

    @Test
    void letsNoOldTokenThroughUnderASnapshotFromBeforeTheCleanup() {
        try (Session stale = database.session()) {
            stale.run("BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT 1 FROM fencing.fence_floor");
            enter("order:1", old + 5);
            database.run("SELECT fencing.cleanup()");

            SqlFailure failure = Refusals.failed("40001", () -> enter(stale, "order:1", old));
            assertThat(failure).hasMessageContaining("could not serialize");
        }
        assertThat(database.ask("SELECT count(*) FROM fencing.fence")).isEqualTo("0");
    }

    @Test
    void leavesRowsInUseAlone() {
        enter("order:1", old);
        try (Session user = database.session()) {
            user.run("BEGIN");
            enter(user, "order:1", old);

            assertThat(database.ask("SELECT fencing.cleanup()")).isEqualTo("0");
            user.run("COMMIT");
        }
        assertThat(database.ask("SELECT fencing.cleanup()")).isEqualTo("1");
    }

    @Test
    void newResourcesAndACleanupDoNotWaitForEachOther() {
        enter("order:1", old);
        try (Session user = database.session();
                Session cleaner = database.session()) {
            user.run("BEGIN", "SET LOCAL lock_timeout = '50ms'");
            enter(user, "order:2", recent);
            cleaner.run("BEGIN", "SET lock_timeout = '50ms'");

            assertThat(cleaner.ask("SELECT fencing.cleanup()")).isEqualTo("1");
            assertThat(enter(user, "order:3", recent)).startsWith("true");
            user.run("COMMIT");
            cleaner.run("COMMIT");
        }
    }

    @Test
    void givesUpCleaningWhileATransactionOfAStricterLevelKeepsTheFloor() {
        enter("order:1", old);
        try (Session user = database.session()) {
            user.run("BEGIN ISOLATION LEVEL REPEATABLE READ");
            enter(user, "order:2", recent);

            SqlFailure failure = refused("WF105", () -> database.run("SELECT fencing.cleanup()"));
            assertThat(failure.hint()).contains("REPEATABLE READ");
            assertThat(database.ask("SELECT count(*) FROM fencing.fence WHERE resource = 'order:1'"))
                    .isEqualTo("1");
            user.run("COMMIT");
        }
        assertThat(database.ask("SELECT fencing.cleanup()")).isEqualTo("1");
    }

    @Test
    void cleaningKeepsNoFenceRowLockedWhileItWaitsForTheFloor() {
        enter("order:1", old);
        try (Session user = database.session();
                Session cleaner = database.session()) {
            user.run("BEGIN ISOLATION LEVEL REPEATABLE READ", "SET LOCAL lock_timeout = '500ms'");
            enter(user, "order:2", recent);
            Future<?> cleaning = CompletableFuture.runAsync(() -> cleaner.run("SELECT fencing.cleanup()"));
            awaitBlocked();

            assertThatCode(() -> enter(user, "order:1", recent))
                    .as("a second fence row of the transaction that the cleanup waits for")
                    .doesNotThrowAnyException();
            user.run("COMMIT");
            await().until(cleaning::isDone);
        }
    }

    /** A refused holder that goes on with its transaction keeps nobody out. */
    @Test
    void holdsNoLockWhenItHasLost() throws Exception {
        for (boolean afterWaiting : new boolean[] {false, true}) {
            forget();
            try (Session winner = database.session();
                    Session loser = database.session();
                    Session next = database.session()) {
                winner.run("BEGIN");
                enter(winner, "order:1", 50);
                loser.run("BEGIN");
                if (!afterWaiting) {
                    winner.run("COMMIT");
                }
                Future<String> lost = CompletableFuture.supplyAsync(() -> enter(loser, "order:1", 40));
                if (afterWaiting) {
                    awaitBlocked();
                    winner.run("COMMIT");
                }
                assertThat(lost.get()).isEqualTo("false 50 false");

                next.run("SET lock_timeout = '100ms'");
                assertThat(enter(next, "order:1", 60)).startsWith("true");
                loser.run("COMMIT");
            }
        }
    }

    @Test
    void holdsNoLockWhenTheFloorHasRefused() {
        database.run("UPDATE fencing.fence_floor SET last_token = 45");
        try (Session loser = database.session();
                Session next = database.session()) {
            loser.run("BEGIN");
            assertThat(enter(loser, "order:1", 40)).isEqualTo("false 45 false");

            next.run("SET lock_timeout = '100ms'");
            assertThat(enter(next, "order:1", 60)).startsWith("true");
            loser.run("COMMIT");
        }
    }

    @Test
    void leavesTheGreatestTokenAnnounced() {
        enter("order:1", old);
        database.run("SELECT fencing.cleanup()");
        try (Session session = database.session()) {
            session.run("BEGIN");
            for (String step : new String[] {"order:7 600", "order:8 900", "order:9 700"}) {
                String[] parts = step.split(" ");
                enter(session, parts[0], recent + Long.parseLong(parts[1]));
            }
            assertAnnounced(session, recent + 900);
            assertThat(enter(session, "order:1", old)).startsWith("false");
            assertThat(enter(session, "order:8", recent)).startsWith("false");
            assertAnnounced(session, recent + 900);
            session.run("COMMIT");
        }
    }

    private static void assertAnnounced(Session session, long token) {
        assertThat(session.ask("SELECT current_setting('fencing.token', true)")).isEqualTo(token + "");
    }

    @Test
    void aFloorThatIsMissingIsAnErrorAndRepairedFromTheAudit() {
        enter("order:1", old);
        enter("order:2", recent);
        database.run("SELECT fencing.cleanup()", "TRUNCATE fencing.fence_floor");

        SqlFailure failure = refused("WF112", () -> enter("order:1", old));
        assertThat(failure.hint()).contains("tools that empty all tables");
        refused("WF112", () -> database.run("SELECT fencing.cleanup()"));
        assertThatThrownBy(() -> FencingMigrations.on(database.dataSource()).verify())
                .hasMessageContaining("fence_floor")
                .hasMessageContaining("repair()");
        assertThat(enter("order:2", recent))
                .as("a row that is there needs no floor")
                .startsWith("true");

        FencingMigrations.on(database.dataSource()).repair();

        assertThat(enter("order:1", old)).isEqualTo("false " + old + " false");
        database.run("TRUNCATE fencing.fence_floor");
        assertThat(database.ask("SELECT fencing.rebase_floor(7)")).isNull();
        assertThat(enter("order:1", 7)).isEqualTo("false 7 false");
        FencingMigrations.on(database.dataSource()).verify();
    }

    @Test
    void refusesToCleanUpWhereTokensDoNotComeFromAClock() {
        enter("order:1", old);
        enter("zookeeper", 4711);

        SqlFailure failure = refused("WF110", () -> database.run("SELECT fencing.cleanup()"));

        assertThat(failure.detail()).contains("zookeeper").contains("4711");
        assertThat(database.ask("SELECT count(*) FROM fencing.fence")).isEqualTo("2");
    }

    @Test
    void isRebasedByAnOperatorWithALineInTheAudit() {
        enter("order:1", Long.MAX_VALUE);
        assertThat(database.ask("SELECT fencing.rebase_resource('order:1', 50)"))
                .isEqualTo(Long.MAX_VALUE + "");
        assertThat(enter("order:1", 51)).startsWith("true");

        database.run("UPDATE fencing.fence_floor SET last_token = 1000");
        assertThat(enter("etcd", 7)).isEqualTo("false 1000 false");
        assertThat(database.ask("SELECT fencing.rebase_floor(6)")).isEqualTo("1000");
        assertThat(enter("etcd", 7)).startsWith("true");

        assertThat(database.ask("SELECT fencing.rebase_resource('etcd', 0)")).isEqualTo("7");
        refused("WF107", () -> database.run("SELECT fencing.rebase_resource('etcd', 5)"));
        assertThat(database.ask(
                        "SELECT count(*) FROM fencing.audit WHERE action LIKE 'rebase%' AND by_role = session_user"))
                .isEqualTo("3");
    }

    @Test
    void servesAPlainRoleThatWasGrantedAccess() {
        String role = Roles.plain(database);
        try (Session session = database.sessionOf(role)) {
            Refusals.failed("42501", () -> enter(session, "order:1", 1));
            database.run("SELECT fencing.grant_access('" + role + "')");
            assertThat(enter(session, "order:1", 1)).startsWith("true");
            FencingMigrations.on(database.dataSourceOf(role)).verify();
        }
    }

    private String enter(String resource, long token) {
        try (Session session = database.session()) {
            return enter(session, resource, token);
        }
    }

    private static String enter(Session session, String resource, long token) {
        return session.ask("SELECT concat_ws(' ', entered::text, stored_token, (transaction_id IS NOT NULL)::text)"
                + " FROM fencing.enter('" + resource + "', " + token + ")");
    }

    private void awaitBlocked() {
        await().until(() -> database.ask("SELECT count(*) FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid)"
                        + " WHERE NOT l.granted AND a.datname = current_database()")
                .equals("1"));
    }
}
