package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.examples.servers.PgBouncer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The rollout and the database's side of each level through PgBouncer in transaction mode, where two statements may run in
 * two sessions. The Jdbi plugin has such a test of its own.
 */
@Tag("newest")
class PgBouncerIT {

    private final TestDatabase database = TestDatabase.fresh();

    @Test
    void rolloutAndEnforcementWorkInTransactionMode() {
        try (PgBouncer bouncer = PgBouncer.start(Tools.program("pgbouncer", "pgbouncer"), database.onServer())) {
            PGSimpleDataSource pooled = bouncer.dataSource();
            FencingMigrations.on(pooled).install();
            FencingMigrations.on(pooled).verify();
            try (Session session = new Session(pooled);
                    Session other = new Session(pooled)) {
                session.run(
                        "CREATE TABLE item (id int PRIMARY KEY, stock int)",
                        "SELECT fencing.protect('item')",
                        "INSERT INTO item VALUES (1, 10)",
                        "SELECT fencing.enforce('item', 'strict')");
                // levels 1 and 2, announcing
                String announce = "set_config('fencing.token', '33', true)::bigint";
                assertThat(session.write("UPDATE item SET stock = 9, last_token = " + announce
                                + " WHERE id = 1 AND last_token < 33"))
                        .isOne();
                refused("WF002", () -> other.run("UPDATE item SET stock = 0"));
                refused("WF002", () -> session.run("UPDATE item SET stock = 0"));
                assertThat(session.write("UPDATE item SET stock = 8, last_token = " + announce
                                + " WHERE id = 1 AND last_token = 33"))
                        .isOne();
                // level 3
                session.run("BEGIN", "SELECT fencing.enter('item:1', 34)", "UPDATE item SET stock = 7", "COMMIT");
                refused("WF002", () -> session.run("DELETE FROM item"));
                // level 4
                refused("WF001", () -> other.run("UPDATE item SET last_token = 33"));
                assertThat(other.ask("SELECT stock || ' ' || last_token FROM item"))
                        .isEqualTo("7 34");
                // and back
                session.run("SELECT fencing.relax('item')", "SELECT fencing.unprotect('item')");
                other.run("UPDATE item SET stock = 6");
            }
        }
    }
}
