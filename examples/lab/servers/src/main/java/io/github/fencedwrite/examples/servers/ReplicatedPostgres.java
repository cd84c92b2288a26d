package io.github.fencedwrite.examples.servers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL primary with one hot standby that streams from it and can be promoted. Always embedded, whatever the other
 * servers are. Thread safe.
 *
 * <p>The stream goes through a {@link Proxy}, so that it can be stopped: a primary with a synchronous standby then does not
 * answer a commit, one with an asynchronous standby runs ahead of it.
 */
public final class ReplicatedPostgres implements AutoCloseable {

    private static final String HOST = "127.0.0.1";
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final List<String> BOTH =
            List.of("wal_keep_size=256MB", "wal_receiver_timeout=0", "wal_sender_timeout=0");

    private final Postgres primary;
    private final Postgres standby;
    private final Proxy stream;

    private ReplicatedPostgres(Postgres primary, Postgres standby, Proxy stream) {
        this.primary = primary;
        this.standby = standby;
        this.stream = stream;
    }

    /**
     * Starts both servers and returns when the standby streams.
     *
     * @param synchronous whether a commit waits until the standby has written it
     * @param settings further settings of both servers as {@code name=value}
     * @return the pair, to be closed by the caller
     * @throws ServersException if one of them does not come up
     */
    public static ReplicatedPostgres start(boolean synchronous, String... settings) {
        List<String> common = join(BOTH, List.of(settings));
        EmbeddedPostgresServer first = EmbeddedPostgresServer.initialised(
                synchronous ? join(common, List.of("synchronous_standby_names=*")) : common);
        Proxy stream = Proxy.to(HOST, 1); // its target is known once the primary runs
        EmbeddedPostgresServer second = null;
        try {
            String primaryConninfo = "primary_conninfo=host=" + stream.host() + " port=" + stream.port() + " user="
                    + PostgresLogin.USER + " password=" + PostgresLogin.PASSWORD;
            second = first.standby(join(common, List.of(primaryConninfo)));
            first.start();
            stream.switchTo(HOST, first.port());
            second.start();
            ReplicatedPostgres pair = new ReplicatedPostgres(new Postgres(first), new Postgres(second), stream);
            pair.await(pair.primary, "SELECT count(*) = 1 FROM pg_stat_replication WHERE state = 'streaming'");
            return pair;
        } catch (RuntimeException e) {
            stream.close();
            first.close();
            if (second != null) {
                second.close();
            }
            throw e;
        }
    }

    private static List<String> join(List<String> some, List<String> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    /** Returns the server that was started as the primary. */
    public Postgres primary() {
        return primary;
    }

    /** Returns the server that was started as the standby. */
    public Postgres standby() {
        return standby;
    }

    /**
     * Returns the standby's copy of a database of the primary.
     *
     * @param database one of the primary, which need not have arrived yet
     */
    public PostgresDatabase onStandby(PostgresDatabase database) {
        return new PostgresDatabase(standby, database.name());
    }

    /**
     * Returns a data source that knows both servers, in the driver's way: one URL with two hosts.
     *
     * @param database one of the primary
     * @param targetServerType {@code primary}, {@code any}, … as the driver calls them
     */
    public PGSimpleDataSource dataSource(PostgresDatabase database, String targetServerType) {
        PGSimpleDataSource both = database.dataSource();
        PGSimpleDataSource other = onStandby(database).dataSource();
        both.setServerNames(new String[] {both.getServerNames()[0], other.getServerNames()[0]});
        both.setPortNumbers(new int[] {both.getPortNumbers()[0], other.getPortNumbers()[0]});
        both.setTargetServerType(targetServerType);
        // otherwise the driver remembers for ten seconds which server was what
        both.setHostRecheckSeconds(0);
        return both;
    }

    /** Lets nothing more arrive at the standby; what the primary commits from now on is not there. */
    public void holdStream() {
        stream.mute();
    }

    /** Waits until the standby has applied everything that the primary has written so far. */
    public void awaitStandby() {
        String written = text(primary, "SELECT pg_current_wal_lsn()::text");
        await(standby, "SELECT pg_last_wal_replay_lsn() >= '" + written + "'::pg_lsn");
    }

    /** Waits until the standby has on its disk what the primary has written so far; it may not have applied it. */
    public void awaitStandbyHasWritten() {
        String written = text(primary, "SELECT pg_current_wal_lsn()::text");
        await(standby, "SELECT pg_last_wal_receive_lsn() >= '" + written + "'::pg_lsn");
    }

    /** Kills the primary and what is on its way to the standby, promotes that, and returns when it accepts writes. */
    public void failOver() {
        primary.kill();
        stream.close();
        promote();
    }

    /** Promotes the standby, while the primary may go on, and returns when it accepts writes. */
    public void promote() {
        text(standby, "SELECT pg_promote(true, 60)::text");
        await(standby, "SELECT NOT pg_is_in_recovery()");
    }

    private void await(Postgres server, String condition) {
        if (!Readiness.await(
                () -> text(server, "SELECT (" + condition + ")::text").equals("true"), LIMIT)) {
            throw new ServersException("This did not come true in " + LIMIT + ": " + condition);
        }
    }

    private static String text(Postgres server, String query) {
        try (Connection connection = server.dataSource(PostgresLogin.DATABASE).getConnection();
                PreparedStatement statement = connection.prepareStatement(query);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return String.valueOf(row.getString(1));
        } catch (SQLException e) {
            throw new ServersException(query + " failed: " + e.getMessage(), e);
        }
    }

    /** Ends both servers and deletes their data. Idempotent. */
    @Override
    public void close() {
        stream.close();
        standby.close();
        primary.close();
    }
}
