package io.github.fencedwrite.migrations;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A fresh database on the server of this JVM, and the shortest way to ask it something. */
final class TestDatabase {

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final PGSimpleDataSource dataSource;

    private TestDatabase(PGSimpleDataSource dataSource) {
        this.dataSource = dataSource;
    }

    static TestDatabase fresh() {
        String name = "test_" + NUMBERS.incrementAndGet();
        try (Connection connection = Server.PG.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return new TestDatabase((PGSimpleDataSource) Server.PG.getDatabase("postgres", name));
    }

    static TestDatabase withFencing() {
        TestDatabase database = fresh();
        FencingMigrations.on(database.dataSource()).install();
        return database;
    }

    DataSource dataSource() {
        return dataSource;
    }

    void run(String... statements) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new SqlFailure(e);
        }
    }

    /** The first column of the first row, as text; null if there is none. */
    String ask(String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        } catch (SQLException e) {
            throw new SqlFailure(e);
        }
    }

    private static final class Server {
        static final EmbeddedPostgres PG = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder().start();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
