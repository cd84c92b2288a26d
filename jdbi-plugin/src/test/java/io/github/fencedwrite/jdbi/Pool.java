package io.github.fencedwrite.jdbi;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;

/** A small pool as applications have it. */
final class Pool {

    private Pool() {}

    static HikariDataSource of(PostgresDatabase database, boolean autoCommit) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setAutoCommit(autoCommit);
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(10_000);
        return new HikariDataSource(config);
    }

    static Jdbi jdbi(javax.sql.DataSource dataSource) {
        return Jdbi.create(dataSource).installPlugin(new SqlObjectPlugin()).installPlugin(new FencingPlugin());
    }
}
