package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two versions of this library meet in one database: one after the other, at once, and during a rolling upgrade. */
@Tag("contract")
class UpgradeIT {

    private static final OtherVersion OLDER = OtherVersion.of(0);
    private static final OtherVersion NEWER = OtherVersion.of(2);

    private final TestDatabase database = TestDatabase.fresh();
    private final DataSource dataSource = database.dataSource();
    private final FencingMigrations current = FencingMigrations.on(dataSource);

    @Test
    void whatAnOlderVersionHasLeftIsBroughtUpToDateAndKept() {
        OLDER.install(dataSource);
        database.run(
                "CREATE TABLE item (id int PRIMARY KEY)",
                "SELECT fencing.protect('item')",
                "INSERT INTO item VALUES (1, 34)",
                "SELECT fencing.enforce('item', 'strict')",
                "SELECT fencing.enter('item:1', 34)");
        assertThatThrownBy(current::verify)
                .hasMessageContaining("older version")
                .hasMessageContaining("install()");

        assertThat(current.install().applied()).containsExactly("R__fencing_functions.sql");

        current.verify();
        assertThat(database.ask("SELECT fencing.version()")).isEqualTo("1");
        assertThat(database.ask("SELECT enforced FROM fencing.protected_tables"))
                .isEqualTo("strict");
        refused("WF001", () -> database.run("UPDATE item SET last_token = 33"));
        assertThat(database.ask("SELECT entered FROM fencing.enter('item:1', 33)"))
                .isEqualTo("f");
        database.run("SELECT fencing.relax('item')", "SELECT fencing.unprotect('item')");
    }

    @Test
    void aLaterVersionRunsItsScriptsInOrderAndOnce() {
        current.install();
        OtherVersion third = OtherVersion.of(3);

        third.install(dataSource);
        third.install(dataSource);

        third.verify(dataSource);
        assertThat(database.ask("SELECT string_agg(script, ' ' ORDER BY installed_rank)"
                        + " FROM fencing.flyway_schema_history WHERE type = 'SQL'"))
                .isEqualTo("V1__fencing_schema.sql R__fencing_functions.sql " + OtherVersion.later(2) + " "
                        + OtherVersion.later(3) + " R__fencing_functions.sql");
        database.run("INSERT INTO fencing.notes_of_2 VALUES ('here')", "INSERT INTO fencing.notes_of_3 VALUES ('too')");
    }

    @Test
    void aScriptOfALaterVersionAloneIsRefusedToo() {
        current.install();
        database.run("INSERT INTO fencing.flyway_schema_history SELECT installed_rank + 10, '2', 'notes', type, '"
                + OtherVersion.later(2) + "', 0, installed_by, installed_on, 0, true"
                + " FROM fencing.flyway_schema_history WHERE version = '1'");

        for (Runnable attempt : new Runnable[] {current::install, current::repair, current::verify}) {
            FencingMigrationException refusal = catchThrowableOfType(FencingMigrationException.class, attempt::run);
            assertThat(refusal.sqlState()).isEqualTo("WF111");
        }
    }

    @Test
    void anOlderVersionTouchesNothingOfANewerOne() {
        current.install();
        NEWER.install(dataSource);
        NEWER.verify(dataSource);
        String before = functions();

        for (Runnable attempt : new Runnable[] {current::install, current::repair, current::verify}) {
            FencingMigrationException refusal = catchThrowableOfType(FencingMigrationException.class, attempt::run);
            assertThat(refusal)
                    .hasMessageContaining("is of version 2, this library knows version 1")
                    .hasMessageContaining("Use the fenced-write library that installed it, or a newer one");
            assertThat(refusal.sqlState()).isEqualTo("WF111");
        }
        refused("WF111", () -> database.run(FencingMigrations.plainSql()));
        assertThat(functions()).isEqualTo(before).contains("since_2");
    }

    @RepeatedTest(10)
    void theNewerOneWinsWhenBothStartAtOnce() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        ExecutorService instances = Executors.newFixedThreadPool(2);
        try {
            Future<FencingMigrationException> old = instances.submit(() -> {
                start.await();
                return catchThrowableOfType(FencingMigrationException.class, current::install);
            });
            Future<?> upgraded = instances.submit(() -> {
                start.await();
                NEWER.install(dataSource);
                return null;
            });
            upgraded.get();
            FencingMigrationException refusal = old.get();

            if (refusal != null) { // it came second
                assertThat(refusal.sqlState()).as(refusal.getMessage()).isEqualTo("WF111");
            }
        } finally {
            instances.shutdownNow();
        }
        NEWER.verify(dataSource);
        assertThat(database.ask("SELECT fencing.version()")).isEqualTo("2");
    }

    /** Instances of the old version go on writing while those of newer ones start. */
    @Test
    void rollingUpgradesFailNoRequest() throws Exception {
        current.install();
        database.run(
                "CREATE TABLE item (id int PRIMARY KEY, stock int NOT NULL)",
                "INSERT INTO item SELECT n, n FROM generate_series(1, 1000) AS n",
                "SELECT fencing.protect('item')",
                "SELECT fencing.enforce('item', 'strict')");
        AtomicBoolean stopped = new AtomicBoolean();
        ExecutorService background = Executors.newSingleThreadExecutor();
        try (Traffic traffic = Traffic.fenced(dataSource, "2s")) {
            Future<Integer> fenceRows = background.submit(() -> enterUntil(stopped));
            for (int version = 2; version <= 5; version++) {
                OtherVersion.of(version).install(dataSource);
                traffic.assertNoRequestFailed();
            }
            stopped.set(true);
            assertThat(fenceRows.get()).isPositive();
        } finally {
            stopped.set(true);
            background.shutdownNow();
        }
        assertThat(database.ask("SELECT fencing.version()")).isEqualTo("5");
    }

    private int enterUntil(AtomicBoolean stopped) {
        int entered = 0;
        try (Session session = database.session()) {
            while (!stopped.get()) {
                session.run("BEGIN");
                assertThat(session.ask("SELECT entered FROM fencing.enter('item:0', " + ++entered + ")"))
                        .isEqualTo("t");
                session.run("INSERT INTO item VALUES (" + -entered + ", 1)", "COMMIT");
            }
        }
        return entered;
    }

    private String functions() {
        return database.ask("SELECT string_agg(concat_ws(' ', proname, md5(prosrc), xmin), ', ' ORDER BY proname, oid)"
                + " FROM pg_proc WHERE pronamespace = 'fencing'::regnamespace");
    }
}
