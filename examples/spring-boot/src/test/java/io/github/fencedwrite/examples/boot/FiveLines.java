package io.github.fencedwrite.examples.boot;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.jdbi.FencedTransactions;
import io.github.fencedwrite.jdbi.Fencing;
import io.github.fencedwrite.jdbi.FencingPlugin;
import io.github.fencedwrite.migrations.FencingFlyway;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.api.callback.Callback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** The lines of the README, and nothing else. Without a stereotype, so that the service does not find it. */
@EnableAutoConfiguration
class FiveLines {

    @Bean
    FencedLocks locks(@Value("${locks.nodes}") List<String> nodes) {
        return FencedLocks.builder().nodes(nodes).build();
    }

    @Bean
    Jdbi jdbi(DataSource dataSource) {
        return Jdbi.create(new TransactionAwareDataSourceProxy(dataSource))
                .installPlugin(new SqlObjectPlugin())
                .installPlugin(new FencingPlugin());
    }

    @Bean
    FencedTransactions fencedTransactions(Jdbi jdbi) {
        return Fencing.of(jdbi);
    }

    @Bean
    Callback fencingMigrations() {
        return FencingFlyway.callback();
    }
}
