package io.github.fencedwrite.examples.servers;

/** One PostgreSQL server behind {@link Postgres}, wherever it comes from. */
interface PostgresServer {

    ServerKind kind();

    /** Returns the JDBC URL of one of its databases, without user and password. */
    String url(String database);

    /** Returns the name of the database from which others are created. */
    default String administration() {
        return PostgresLogin.DATABASE;
    }

    default String user() {
        return PostgresLogin.USER;
    }

    default String password() {
        return PostgresLogin.PASSWORD;
    }

    void kill();

    /** Kills the server if it runs and starts it on the same port with its data; returns when it answers. */
    void restart();

    boolean isRunning();

    void close();
}
