package io.github.fencedwrite.examples.servers;

import org.postgresql.ds.PGSimpleDataSource;

/** An empty database of a test, dropped when closed. Immutable and thread safe. */
public final class PostgresDatabase implements AutoCloseable {

    private final Postgres server;
    private final String name;

    PostgresDatabase(Postgres server, String name) {
        this.server = server;
        this.name = name;
    }

    /**
     * Returns the name of the database.
     *
     * @return lower-case letters, digits and underscores
     */
    public String name() {
        return name;
    }

    /**
     * Returns the URL, without user and password.
     *
     * @return {@code jdbc:postgresql://host:port/name…}
     */
    public String jdbcUrl() {
        return server.server().url(name);
    }

    /**
     * Returns the user, who owns the database and, on servers started here, is a superuser.
     *
     * @return the user's name
     */
    public String user() {
        return server.server().user();
    }

    /**
     * Returns the password of the user.
     *
     * @return the password, possibly empty
     */
    public String password() {
        return server.server().password();
    }

    /**
     * Returns a data source without a pool: each connection is a new session.
     *
     * @return a new object, which the caller may configure further
     */
    public PGSimpleDataSource dataSource() {
        return server.dataSource(name);
    }

    /** Drops the database and ends its sessions; does nothing if the server does not run any more. Idempotent. */
    @Override
    public void close() {
        if (server.isRunning()) {
            server.drop(name);
        }
    }

    @Override
    public String toString() {
        return jdbcUrl();
    }
}
