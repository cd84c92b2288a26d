package io.github.fencedwrite.examples.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

final class ProxyOfPostgresIT {

    @Test
    void losesTheAnswerToACommitThatTookPlace() throws SQLException {
        try (PostgresDatabase database = Postgres.shared().newDatabase();
                Proxy proxy = Proxy.to(database)) {
            PGSimpleDataSource through = database.dataSource();
            through.setServerNames(new String[] {proxy.host()});
            through.setPortNumbers(new int[] {proxy.port()});
            try (Connection connection = through.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE t (id int)");
                connection.setAutoCommit(false);
                statement.execute("INSERT INTO t VALUES (1)");
                proxy.muteReplies();
                CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> {
                    try {
                        connection.commit();
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                });
                await().until(() -> count(database.dataSource()) == 1);
                assertThat(commit).isNotDone();
                proxy.cut(Cut.RESET);
                assertThatThrownBy(commit::join).hasRootCauseInstanceOf(IOException.class);
            }
            proxy.open();
            assertThat(count(through)).isEqualTo(1);
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
}
