package io.github.fencedwrite.examples.servers;

import org.postgresql.ds.PGSimpleDataSource;

/** One PostgreSQL server behind {@link Postgres}, wherever it comes from. */
interface PostgresServer {

    ServerKind kind();

    /** Returns a new data source for the database in which others are created, with user and password. */
    PGSimpleDataSource administration();

    void kill();

    /** Kills the server if it runs and starts it on the same port with its data; returns when it answers. */
    void restart();

    boolean isRunning();

    void close();
}
