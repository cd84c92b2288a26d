package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** pg_dump and pg_restore of a protected database, with clients and a server of one major version. */
@Tag("newest")
class DumpIT {

    @Test
    void protectedDatabaseIsRestoredWithTokensTriggersAndRegistry(@TempDir Path directory) throws Exception {
        Path bin = Tools.postgresql();
        Tools.open(directory);
        String data = directory.resolve("data").toString();
        int port = Tools.freePort();
        Tools.run(Tools.unprivileged(
                bin.resolve("initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"));
        Process server = new ProcessBuilder(Tools.unprivileged(
                        bin.resolve("postgres"),
                        "-D",
                        data,
                        "-p",
                        port,
                        "-c",
                        "unix_socket_directories=",
                        "-c",
                        "fsync=off"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            PGSimpleDataSource origin = dataSource(port, "postgres");
            await().ignoreExceptionsInstanceOf(SQLException.class).until(() -> {
                try (Connection connection = origin.getConnection()) {
                    return connection.isValid(1);
                }
            });
            FencingMigrations.on(origin).install();
            try (Session session = new Session(origin)) {
                session.run(
                        "CREATE TABLE dropped (id int)",
                        "SELECT fencing.protect('dropped')",
                        "DROP TABLE dropped",
                        "CREATE SCHEMA \"App\"",
                        "CREATE TABLE \"App\".item (id int PRIMARY KEY, stock int)",
                        "SELECT fencing.protect('\"App\".item')",
                        "INSERT INTO \"App\".item VALUES (1, 10, 34)",
                        "SELECT fencing.enforce('\"App\".item', 'strict')",
                        "SELECT fencing.enter('item:1', 34)",
                        "CREATE DATABASE restored");
            }

            String file = directory.resolve("dump").toString();
            List<String> login = List.of("-h", "127.0.0.1", "-p", port + "", "-U", "postgres");
            Tools.run(words(Tools.unprivileged(bin.resolve("pg_dump"), "-Fc", "-f", file), login, List.of("postgres")));
            Tools.run(words(
                    Tools.unprivileged(bin.resolve("pg_restore"), "--exit-on-error", "-d", "restored"),
                    login,
                    List.of(file)));

            PGSimpleDataSource copy = dataSource(port, "restored");
            FencingMigrations.on(copy).verify();
            assertThat(FencingMigrations.on(copy).install().applied()).isEmpty();
            try (Session session = new Session(copy)) {
                assertThat(session.ask("SELECT string_agg(table_name || ' ' || mode || ' ' || enforced, ',')"
                                + " FROM fencing.protected_tables"))
                        .isEqualTo("item strict strict");
                assertThat(session.ask("SELECT last_token FROM \"App\".item")).isEqualTo("34");
                assertThat(session.ask("SELECT entered FROM fencing.enter('item:1', 33)"))
                        .isEqualTo("f");
                refused("WF002", () -> session.run("UPDATE \"App\".item SET stock = 0"));
                assertThat(session.ask("SELECT count(*) FROM fencing.inspect('\"App\".item')"))
                        .isEqualTo("0");
            }
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    private static List<String> words(List<String> first, List<String> second, List<String> third) {
        return java.util.stream.Stream.of(first, second, third)
                .flatMap(List::stream)
                .toList();
    }

    private static PGSimpleDataSource dataSource(int port, String database) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setPortNumbers(new int[] {port});
        dataSource.setDatabaseName(database);
        dataSource.setUser("postgres");
        return dataSource;
    }
}
