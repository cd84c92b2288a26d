package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.ServerKind;
import io.github.fencedwrite.examples.servers.Servers;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Logical replication of a protected table: tokens arrive, and the receiver's triggers do not stand in the way. */
class LogicalReplicationIT {

    @Test
    void tokensArriveAndTheReceiversTriggersDoNotFireForThem() {
        Assumptions.assumeTrue(
                Servers.postgres() == ServerKind.EMBEDDED,
                "not run: needs servers that can be configured and reach each other");
        try (Postgres sender = Postgres.start("wal_level=logical");
                Postgres receiver = Postgres.start()) {
            TestDatabase from = TestDatabase.on(sender);
            TestDatabase to = TestDatabase.on(receiver);
            for (TestDatabase database : new TestDatabase[] {from, to}) {
                FencingMigrations.on(database.dataSource()).install();
                database.run(
                        "CREATE TABLE item (id int PRIMARY KEY, stock int)",
                        "SELECT fencing.protect('item')",
                        "SELECT fencing.enforce('item', 'strict')");
            }
            from.run("CREATE PUBLICATION items FOR TABLE item");
            PGSimpleDataSource origin = from.dataSource();
            to.run("CREATE SUBSCRIPTION items CONNECTION 'host=" + origin.getServerNames()[0] + " port="
                    + origin.getPortNumbers()[0] + " dbname=" + from.name() + " user=" + origin.getUser() + " password="
                    + origin.getPassword() + "' PUBLICATION items");

            try (Session session = from.session()) {
                session.run("BEGIN", "SELECT fencing.enter('item:1', 34)", "INSERT INTO item VALUES (1, 10)", "COMMIT");
                session.run("BEGIN", "SELECT fencing.enter('item:1', 35)", "UPDATE item SET stock = 9", "COMMIT");
            }

            await().atMost(Duration.ofSeconds(30))
                    .until(() -> "9 35".equals(to.ask("SELECT stock || ' ' || last_token FROM item")));
            refused("WF002", () -> to.run("DELETE FROM item"));
            assertThat(to.ask("SELECT code FROM fencing.inspect('item')")).isEqualTo("subscription");
            to.run("DROP SUBSCRIPTION items");
        }
    }
}
