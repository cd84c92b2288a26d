package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Everything through PgBouncer in transaction mode, where two statements may run in two sessions. */
@Tag("newest")
class PgBouncerIT {

    @Test
    void allLevelsWorkInTransactionMode() throws Exception {
        Path program = Tools.program("pgbouncer", "pgbouncer");
        TestDatabase database = TestDatabase.fresh();
        PGSimpleDataSource direct = database.dataSource();
        Path directory = Tools.directory("pgbouncer");
        int port = Tools.freePort();
        Path users = Files.writeString(
                directory.resolve("users.txt"), "\"" + direct.getUser() + "\" \"" + direct.getPassword() + "\"\n");
        Path settings = Files.writeString(directory.resolve("pgbouncer.ini"), """
                [databases]
                * = host=%s port=%d
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = trust
                auth_file = %s
                pool_mode = transaction
                default_pool_size = 2
                ignore_startup_parameters = extra_float_digits
                """.formatted(
                        direct.getServerNames()[0], direct.getPortNumbers()[0], port, users));
        Process bouncer = new ProcessBuilder(Tools.unprivileged(program, settings))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            PGSimpleDataSource pooled = database.dataSource();
            pooled.setServerNames(new String[] {"127.0.0.1"});
            pooled.setPortNumbers(new int[] {port});
            pooled.setPrepareThreshold(0);
            await().ignoreExceptionsInstanceOf(SQLException.class).until(() -> {
                try (Connection connection = pooled.getConnection()) {
                    return connection.isValid(1);
                }
            });

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
            }
        } finally {
            bouncer.destroy();
            bouncer.waitFor();
        }
    }
}
