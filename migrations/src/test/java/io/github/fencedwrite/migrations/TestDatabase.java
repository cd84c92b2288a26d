package io.github.fencedwrite.migrations;

import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import org.postgresql.ds.PGSimpleDataSource;

/** A fresh database on the server of this JVM. */
final class TestDatabase {

    private final PostgresDatabase database;

    private TestDatabase(PostgresDatabase database) {
        this.database = database;
    }

    static TestDatabase fresh() {
        return on(Postgres.shared());
    }

    static TestDatabase on(Postgres server) {
        return new TestDatabase(server.newDatabase());
    }

    static TestDatabase withFencing() {
        TestDatabase database = fresh();
        FencingMigrations.on(database.dataSource()).install();
        return database;
    }

    String name() {
        return database.name();
    }

    PostgresDatabase onServer() {
        return database;
    }

    PGSimpleDataSource dataSource() {
        return database.dataSource();
    }

    PGSimpleDataSource dataSourceOf(String role) {
        PGSimpleDataSource dataSource = database.dataSource();
        dataSource.setUser(role);
        dataSource.setPassword(Roles.PASSWORD);
        return dataSource;
    }

    Session session() {
        return new Session(dataSource());
    }

    Session sessionOf(String role) {
        return new Session(dataSourceOf(role));
    }

    /** Runs each statement in a transaction of its own, in one session. */
    void run(String... statements) {
        try (Session session = session()) {
            session.run(statements);
        }
    }

    /** The first column of the first row, as text; null if there is none. */
    String ask(String sql) {
        try (Session session = session()) {
            return session.ask(sql);
        }
    }
}
