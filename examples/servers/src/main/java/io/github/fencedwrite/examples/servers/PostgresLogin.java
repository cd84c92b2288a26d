package io.github.fencedwrite.examples.servers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** User, password and settings of every PostgreSQL server that is started here. */
final class PostgresLogin {

    static final String USER = "postgres";
    static final String PASSWORD = "fenced";

    static final List<String> SETTINGS = List.of(
            "fsync=off",
            "timezone=" + Postgres.TIME_ZONE,
            "log_timezone=" + Postgres.TIME_ZONE,
            "max_connections=200",
            "password_encryption=scram-sha-256");

    private static final int TIMEOUT_SECONDS = 2;

    private PostgresLogin() {}

    static PGSimpleDataSource dataSource(String host, int port) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setServerNames(new String[] {host});
        dataSource.setPortNumbers(new int[] {port});
        dataSource.setDatabaseName("postgres");
        dataSource.setUser(USER);
        dataSource.setPassword(PASSWORD);
        return dataSource;
    }

    static boolean answers(PGSimpleDataSource dataSource) {
        dataSource.setConnectTimeout(TIMEOUT_SECONDS);
        dataSource.setSocketTimeout(TIMEOUT_SECONDS);
        dataSource.setLoginTimeout(TIMEOUT_SECONDS);
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT 1")) {
            return row.next();
        } catch (SQLException notYet) {
            return false;
        }
    }
}
