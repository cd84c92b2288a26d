package io.github.fencedwrite.examples.servers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;

/** User, password and settings of every PostgreSQL server that is started here. */
final class PostgresLogin {

    static final String USER = "postgres";
    static final String PASSWORD = "fenced";
    static final String DATABASE = "postgres";

    private static final List<String> SETTINGS = List.of(
            "fsync=off",
            "timezone=" + Postgres.TIME_ZONE,
            "log_timezone=" + Postgres.TIME_ZONE,
            "max_connections=200",
            "password_encryption=scram-sha-256");

    private static final int TIMEOUT_SECONDS = 2;

    private PostgresLogin() {}

    /** The settings of every server and these, as arguments of its program. */
    static List<String> options(List<String> settings) {
        return Stream.concat(SETTINGS.stream(), settings.stream())
                .flatMap(setting -> Stream.of("-c", setting))
                .toList();
    }

    static String url(String host, int port, String database) {
        return "jdbc:postgresql://" + host + ":" + port + "/" + database;
    }

    static PGSimpleDataSource dataSource(String url, String user, String password) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(url);
        dataSource.setUser(user);
        dataSource.setPassword(password);
        return dataSource;
    }

    static boolean answers(String url) {
        return answers(dataSource(url, USER, PASSWORD));
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
