package io.github.fencedwrite.examples.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class ReplicatedPostgresIT {

    private static void execute(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int count(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM t")) {
            row.next();
            return row.getInt(1);
        }
    }

    @Test
    void standbyReadsAndTakesOverWhatItHasGot() throws SQLException {
        try (ReplicatedPostgres pair = ReplicatedPostgres.start(false)) {
            PostgresDatabase database = pair.primary().newDatabase();
            DataSource standby = pair.onStandby(database).dataSource();
            DataSource both = pair.dataSource(database, "primary");
            execute(both, "CREATE TABLE t (n int)");
            execute(both, "INSERT INTO t VALUES (1)");
            pair.awaitStandby();
            assertThat(count(standby)).isEqualTo(1);
            assertThatThrownBy(() -> execute(standby, "INSERT INTO t VALUES (2)"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25006"));

            pair.holdStream();
            execute(both, "INSERT INTO t VALUES (2)");
            pair.failOver();
            assertThat(count(both))
                    .as("what was written behind the standby's back")
                    .isEqualTo(1);
            execute(both, "INSERT INTO t VALUES (3)");
        }
    }

    @Test
    void commitWaitsForSynchronousStandby() throws SQLException {
        try (ReplicatedPostgres pair = ReplicatedPostgres.start(true)) {
            PostgresDatabase database = pair.primary().newDatabase();
            execute(database.dataSource(), "CREATE TABLE t (n int)");
            pair.holdStream();
            var waiting = database.dataSource();
            waiting.setSocketTimeout(1);
            assertThatThrownBy(() -> execute(waiting, "INSERT INTO t VALUES (1)"))
                    .isInstanceOf(SQLException.class);
            pair.failOver();
            assertThat(count(pair.dataSource(database, "primary"))).isZero();
        }
    }
}
