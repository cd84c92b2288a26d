package io.github.fencedwrite.examples.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("contract")
final class PostgresIT {

    @Test
    void isStartedOncePerJvm() {
        assertThat(Postgres.shared()).isSameAs(Postgres.shared());
    }

    @Test
    void givesEachTestItsOwnDatabase() throws SQLException {
        try (PostgresDatabase one = Postgres.shared().newDatabase();
                PostgresDatabase two = Postgres.shared().newDatabase()) {
            execute(one.dataSource(), "CREATE TABLE t (id int)");
            execute(two.dataSource(), "CREATE TABLE t (id int)");
            assertThat(one.name()).isNotEqualTo(two.name());
        }
    }

    @Test
    void connectsByUrlUserAndPassword() throws SQLException {
        try (PostgresDatabase database = Postgres.shared().newDatabase();
                Connection connection =
                        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password())) {
            assertThat(connection.isValid(1)).isTrue();
            assertThat(connection.getCatalog()).isEqualTo(database.name());
        }
    }

    @Test
    void refusesAWrongPassword() {
        try (PostgresDatabase database = Postgres.shared().newDatabase()) {
            assertThatThrownBy(() -> DriverManager.getConnection(database.jdbcUrl(), database.user(), "wrong"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
        }
    }

    @Test
    void dropsADatabaseThatIsStillInUse() throws SQLException {
        PostgresDatabase database = Postgres.shared().newDatabase();
        try (Connection connection = database.dataSource().getConnection()) {
            database.close();
            assertThat(connection.isValid(1)).isFalse();
        }
        database.close();
        assertThatThrownBy(() -> database.dataSource().getConnection())
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("3D000"));
    }

    @Test
    void hasAHostileTimeZoneAndWaitsForCommits() throws SQLException {
        try (PostgresDatabase database = Postgres.shared().newDatabase()) {
            assertThat(query(
                            database.dataSource(),
                            "SELECT reset_val FROM pg_settings WHERE name = 'synchronous_commit'"))
                    .isEqualTo("on");
            assertThat(query(database.dataSource(), "SELECT setting FROM pg_settings WHERE name = 'log_timezone'"))
                    .isEqualTo(Postgres.TIME_ZONE);
        }
    }

    @Test
    void cannotKillTheSharedServer() {
        assertThatThrownBy(() -> Postgres.shared().kill()).isInstanceOf(ServersException.class);
        assertThatThrownBy(() -> Postgres.shared().restart()).isInstanceOf(ServersException.class);
        Postgres.shared().close();
        assertThat(Postgres.shared().isRunning()).isTrue();
    }

    @Test
    void ownServerTakesSettingsAndKeepsItsDataWhenKilled() throws SQLException {
        try (Postgres postgres = Postgres.start("wal_level=logical");
                PostgresDatabase database = postgres.newDatabase()) {
            assertThat(query(database.dataSource(), "SHOW wal_level")).isEqualTo("logical");
            execute(database.dataSource(), "CREATE TABLE t AS SELECT 42 AS answer");
            String url = database.jdbcUrl();
            try (Connection connection = database.dataSource().getConnection()) {
                postgres.kill();
                assertThat(connection.isValid(1)).isFalse();
            }
            assertThat(postgres.isRunning()).isFalse();
            assertThatThrownBy(() -> database.dataSource().getConnection()).isInstanceOf(SQLException.class);
            postgres.restart();
            assertThat(database.jdbcUrl()).isEqualTo(url);
            assertThat(query(database.dataSource(), "SELECT answer FROM t")).isEqualTo("42");
            assertThat(query(database.dataSource(), "SHOW wal_level")).isEqualTo("logical");
        }
    }

    @Test
    void saysWhatTheServerSaidAboutAWrongSetting() {
        assertThatThrownBy(() -> Postgres.start("no_such_setting=1"))
                .isInstanceOf(ServersException.class)
                .hasMessageContaining("no_such_setting");
        assertThatThrownBy(() -> Postgres.start("--wal")).isInstanceOf(IllegalArgumentException.class);
    }

    private static void execute(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
