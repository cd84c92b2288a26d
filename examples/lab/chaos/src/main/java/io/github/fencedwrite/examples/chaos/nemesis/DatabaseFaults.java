package io.github.fencedwrite.examples.chaos.nemesis;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import javax.sql.DataSource;

/** What happens to the database: sessions are terminated, all of a worker's or a single one, and the server crashes. */
final class DatabaseFaults implements FaultSource {

    private static final int CRASHES_OF_HUNDRED = 10;
    private static final Set<String> TARGET = Set.of("database");

    private final DataSource dataSource;
    private final Runnable crash;
    private final List<? extends Victim> workers;

    /**
     * Prepares.
     *
     * @param crash kills the server and starts it again
     */
    DatabaseFaults(DataSource dataSource, Runnable crash, List<? extends Victim> workers) {
        this.dataSource = dataSource;
        this.crash = crash;
        this.workers = workers;
    }

    @Override
    public Fault draw(Random random) {
        if (random.nextInt(100) < CRASHES_OF_HUNDRED) {
            return new Fault("crash database", TARGET, Set.of(), Duration.ZERO, crash, Fault.NOTHING);
        }
        Victim worker = FaultSource.pick(workers, random);
        int most = random.nextBoolean() ? 1 : 1_000;
        return new Fault(
                "terminate sessions",
                TARGET,
                Set.of(),
                Duration.ZERO,
                () -> terminate(worker.name(), most),
                Fault.NOTHING);
    }

    private void terminate(String worker, int most) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement("""
                        SELECT pg_terminate_backend(pid)
                          FROM (SELECT pid FROM pg_stat_activity
                                 WHERE application_name = ?
                                 ORDER BY state = 'idle', random() LIMIT ?) AS busy_ones_first
                        """)) {
            statement.setString(1, worker);
            statement.setInt(2, most);
            statement.execute();
        } catch (SQLException e) {
            throw new IllegalStateException("The database does not let its sessions be terminated", e);
        }
    }
}
