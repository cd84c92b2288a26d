package io.github.fencedwrite.examples.boot;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.jdbi.FencedTransactions;
import io.github.fencedwrite.jdbi.Fencing;
import io.github.fencedwrite.jdbi.FencingPlugin;
import io.github.fencedwrite.jdbi.micrometer.WriteMetrics;
import io.github.fencedwrite.micrometer.LeaseMetrics;
import io.github.fencedwrite.migrations.FencingFlyway;
import io.micrometer.core.instrument.MeterRegistry;
import javax.sql.DataSource;
import org.flywaydb.core.api.callback.Callback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** The beans of fenced-write. Boot closes the locks at the end, after the last request. */
@Configuration(proxyBeanMethods = false)
class FencingConfiguration {

    @Bean
    FencedLocks fencedLocks(LockProperties properties, MeterRegistry registry) {
        LeaseMetrics metrics = new LeaseMetrics(registry);
        FencedLocks locks = FencedLocks.builder()
                .nodes(properties.nodes())
                .quarantine(properties.quarantine())
                .listener(metrics)
                .build();
        metrics.watchNodes(locks);
        return locks;
    }

    /** With the proxy, handles that are opened in a {@code @Transactional} method use the connection of that transaction. */
    @Bean
    Jdbi jdbi(DataSource dataSource, MeterRegistry registry) {
        return Jdbi.create(new TransactionAwareDataSourceProxy(dataSource))
                .installPlugin(new SqlObjectPlugin())
                .installPlugin(new FencingPlugin().listener(new WriteMetrics(registry, "product")));
    }

    @Bean
    FencedTransactions fencedTransactions(Jdbi jdbi) {
        return Fencing.of(jdbi);
    }

    /** Boot hands it to Flyway, which then installs the schema {@code fencing} before the first migration. */
    @Bean
    Callback fencingMigrations() {
        return FencingFlyway.callback();
    }

    @Bean
    ProductDao productDao(Jdbi jdbi) {
        return jdbi.onDemand(ProductDao.class);
    }
}
