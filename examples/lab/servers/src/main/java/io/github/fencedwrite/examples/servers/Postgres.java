package io.github.fencedwrite.examples.servers;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL server in which tests create databases of their own. Thread safe.
 *
 * <p>A server that is started here listens on loopback, asks for a password, has {@code fsync} off (a killed process
 * loses nothing by that) and {@code synchronous_commit} as it is by default. Its own time zone is
 * {@value #TIME_ZONE}, a day ahead of most readers; note that the JDBC driver gives each session the JVM's.
 */
public final class Postgres implements AutoCloseable {

    static final String TIME_ZONE = "Pacific/Kiritimati";

    private static final SecureRandom RANDOM = new SecureRandom();

    private static @Nullable Postgres shared;

    private final PostgresServer server;
    private final boolean isShared;

    Postgres(PostgresServer server) {
        this(server, false);
    }

    private Postgres(PostgresServer server, boolean isShared) {
        this.server = server;
        this.isShared = isShared;
    }

    /**
     * Returns the one server that all tests of this JVM use; started at the first call, ended with the JVM. It cannot be
     * killed, and closing it does nothing.
     *
     * @return the shared server
     * @throws ServersException if it does not come up
     */
    public static synchronized Postgres shared() {
        if (shared == null) {
            shared = connect();
        }
        return shared;
    }

    static Postgres connect() {
        return new Postgres(open(List.of()), true);
    }

    /**
     * Starts a server of its own.
     *
     * @param settings server settings as {@code name=value}, for example {@code "wal_level=logical"}
     * @return the server, to be closed by the caller
     * @throws ServersException if it does not come up, or if the user gave the address of a server, which can be neither
     *     configured nor killed
     * @throws IllegalArgumentException if a setting is not of the form {@code name=value}
     */
    public static Postgres start(String... settings) {
        for (String setting : settings) {
            if (setting.indexOf('=') < 1) {
                throw new IllegalArgumentException("A setting is name=value, not \"" + setting + "\"");
            }
        }
        if (Servers.postgres() == ServerKind.GIVEN) {
            throw new ServersException("This needs a PostgreSQL server of its own, not the one of -D"
                    + Servers.POSTGRES_URL + "; leave the property away");
        }
        return new Postgres(open(List.of(settings)), false);
    }

    private static PostgresServer open(List<String> settings) {
        return switch (Servers.postgres()) {
            case GIVEN -> GivenPostgresServer.fromProperties();
            case CONTAINERS -> ContainerPostgresServer.start(settings);
            case EMBEDDED -> EmbeddedPostgresServer.start(settings);
        };
    }

    /**
     * Creates an empty database with a name that no other has.
     *
     * @return the database; closing it drops it
     * @throws ServersException if the server does not let the user create one
     */
    public PostgresDatabase newDatabase() {
        byte[] random = new byte[6];
        RANDOM.nextBytes(random);
        String name = "fenced_write_" + HexFormat.of().formatHex(random);
        execute("CREATE DATABASE " + name);
        return new PostgresDatabase(this, name);
    }

    /**
     * Tells where this server comes from.
     *
     * @return the kind, never null
     */
    public ServerKind kind() {
        return server.kind();
    }

    /**
     * Ends the server at once with all its sessions (SIGKILL). Idempotent.
     *
     * @throws ServersException if this is the shared server or one that the user gave
     */
    public void kill() {
        requireOwn("killed");
        server.kill();
    }

    /**
     * Kills the server if it runs, starts it again on the same port with its data, and returns when it answers.
     *
     * @throws ServersException if this is the shared server or one that the user gave, or if it does not come up
     */
    public void restart() {
        requireOwn("restarted");
        server.restart();
    }

    /**
     * Tells whether the server runs.
     *
     * @return false after kill and close
     */
    public boolean isRunning() {
        return server.isRunning();
    }

    /** Ends the server and deletes its data, unless it is the shared one. Idempotent. */
    @Override
    public void close() {
        if (!isShared) {
            server.close();
        }
    }

    PostgresServer server() {
        return server;
    }

    PGSimpleDataSource dataSource(String database) {
        return PostgresLogin.dataSource(server.url(database), server.user(), server.password());
    }

    void drop(String database) {
        execute("DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
    }

    private void execute(String sql) {
        String database = server.administration();
        try (Connection connection = dataSource(database).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new ServersException(
                    sql + " failed as user " + server.user() + " on " + server.url(database) + ": " + e.getMessage(),
                    e);
        }
    }

    private void requireOwn(String what) {
        if (isShared) {
            throw new ServersException("The shared PostgreSQL cannot be " + what
                    + ", other tests use it: Postgres.start() gives one's own");
        }
    }
}
