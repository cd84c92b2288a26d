package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.Postgres;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A table that is being vacuumed, on a server of its own whose vacuum is as slow as it can be. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("contract")
class VacuumIT {

    private final Postgres server = Postgres.start(
            "autovacuum_naptime=1s", "autovacuum_vacuum_cost_delay=100ms", "autovacuum_vacuum_cost_limit=1");
    private TestDatabase database;

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void fill() {
        database = TestDatabase.on(server);
        FencingMigrations.on(database.dataSource()).install();
        database.run(
                "CREATE TABLE item (id int, note text) WITH (autovacuum_enabled = off)",
                "INSERT INTO item SELECT n, repeat('x', 500) FROM generate_series(1, 20000) AS n",
                "UPDATE item SET id = id + 1");
    }

    @Test
    void anAutovacuumWorkerGivesWay() {
        database.run("ALTER TABLE item SET (autovacuum_enabled = on, autovacuum_vacuum_threshold = 0)");
        await().atMost(Duration.ofMinutes(1)).until(() -> vacuums() > 0);

        assertThat(database.ask("SELECT fencing.protect('item', 'last_token', '20 seconds')"))
                .endsWith("column last_token added");
    }

    @Test
    void aVacuumByHandIsNamedWhenItDoesNotEndInTime() throws Exception {
        try (Session vacuum = database.session()) {
            vacuum.run("SET vacuum_cost_delay = '100ms'", "SET vacuum_cost_limit = 1");
            String pid = vacuum.ask("SELECT pg_backend_pid()");
            Future<?> running = CompletableFuture.runAsync(() -> vacuum.run("VACUUM item"));
            await().until(() -> vacuums() > 0);

            SqlFailure failure =
                    refused("WF105", () -> database.run("SELECT fencing.protect('item', 'last_token', '1 second')"));
            assertThat(failure.hint()).contains("VACUUM (process " + pid + ")");

            database.ask("SELECT pg_cancel_backend(" + pid + ")");
            await().until(running::isDone);
        }
    }

    private int vacuums() {
        return Integer.parseInt(
                database.ask("SELECT count(*) FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation"
                        + " WHERE c.relname = 'item' AND l.mode = 'ShareUpdateExclusiveLock' AND l.granted"));
    }
}
