package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's transactions are joined and Spring commits them; outside of them Fencing begins its own, whatever the pool does. */
@Tag("contract")
class SpringTransactionIT {

    private static final TestLease LEASE = new TestLease("sku:4711", 7, Duration.ofMinutes(10));

    private final InventoryFixture inventory = new InventoryFixture();
    private final HikariDataSource withAutocommit = Pool.of(inventory.database, true);
    private final HikariDataSource withoutAutocommit = Pool.of(inventory.database, false);

    /** How Jdbi gets at Spring's connection. */
    enum Way {
        DATA_SOURCE_PROXY {
            @Override
            Jdbi jdbi(DataSource pool) {
                return Jdbi.create(new TransactionAwareDataSourceProxy(pool));
            }
        },
        /** What the factory bean of jdbi3-spring does. */
        DATA_SOURCE_UTILS {
            @Override
            Jdbi jdbi(DataSource pool) {
                return Jdbi.create(new ConnectionFactory() {
                    @Override
                    public Connection openConnection() {
                        return DataSourceUtils.getConnection(pool);
                    }

                    @Override
                    public void closeConnection(Connection connection) {
                        DataSourceUtils.releaseConnection(connection, pool);
                    }
                });
            }
        };

        abstract Jdbi jdbi(DataSource pool);
    }

    /** A service as Spring's users write it. */
    interface Service {
        void sell(boolean fails);
    }

    static final class TransactionalService implements Service {

        private final FencedTransactions fencing;

        TransactionalService(FencedTransactions fencing) {
            this.fencing = fencing;
        }

        @Override
        @Transactional
        public void sell(boolean fails) {
            fencing.useTransaction(LEASE, SpringTransactionIT::sellOne);
            if (fails) {
                throw new IllegalStateException("no");
            }
        }
    }

    static Stream<Arguments> ways() {
        return Stream.of(Way.values())
                .flatMap(way -> Stream.of(true, false).map(autoCommit -> Arguments.of(way, autoCommit)));
    }

    @BeforeEach
    void install() {
        FencingMigrations.on(inventory.database.dataSource()).install();
    }

    @AfterEach
    void close() {
        withAutocommit.close();
        withoutAutocommit.close();
    }

    private static int sellOne(Handle handle) {
        return handle.execute("UPDATE inventory SET stock = stock - 1 WHERE sku = '4711'");
    }

    private DataSource pool(boolean autoCommit) {
        return autoCommit ? withAutocommit : withoutAutocommit;
    }

    @ParameterizedTest
    @MethodSource("ways")
    void joinsTransactionTemplate(Way way, boolean autoCommit) {
        DataSource pool = pool(autoCommit);
        Jdbi jdbi = way.jdbi(pool).installPlugin(new FencingPlugin());
        TransactionTemplate spring = new TransactionTemplate(new DataSourceTransactionManager(pool));
        for (FencedTransactions each :
                List.of(Fencing.of(jdbi), Fencing.of(jdbi).withoutFenceRow())) {
            int before = inventory.stock("4711");
            spring.executeWithoutResult(status -> {
                each.useTransaction(LEASE, SpringTransactionIT::sellOne);
                assertThat(inventory.stock("4711")).as("not committed yet").isEqualTo(before);
                status.setRollbackOnly();
            });
            assertThat(inventory.stock("4711")).as("rolled back by Spring").isEqualTo(before);
            spring.executeWithoutResult(status -> each.useTransaction(LEASE, SpringTransactionIT::sellOne));
            assertThat(inventory.stock("4711")).as("committed by Spring").isEqualTo(before - 1);
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void joinsAnnotatedMethods(Way way, boolean autoCommit) {
        DataSource pool = pool(autoCommit);
        Jdbi jdbi = way.jdbi(pool).installPlugin(new FencingPlugin());
        ProxyFactory factory = new ProxyFactory(new TransactionalService(Fencing.of(jdbi)));
        factory.addAdvice(new TransactionInterceptor(
                (org.springframework.transaction.TransactionManager) new DataSourceTransactionManager(pool),
                new AnnotationTransactionAttributeSource()));
        Service service = (Service) factory.getProxy();
        assertThatThrownBy(() -> service.sell(true)).hasMessage("no");
        assertThat(inventory.stock("4711")).isEqualTo(10);
        service.sell(false);
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void refusesToLockInside(Way way, boolean autoCommit) {
        DataSource pool = pool(autoCommit);
        FencedTransactions fencing = Fencing.of(way.jdbi(pool).installPlugin(new FencingPlugin()))
                .withLocks((request, wait) -> TestLease.of(request.resource(), 9));
        TransactionTemplate spring = new TransactionTemplate(new DataSourceTransactionManager(pool));
        assertThatThrownBy(() -> spring.executeWithoutResult(status -> fencing.useLockedTransaction(
                        "sku:4711", Duration.ofSeconds(10), Duration.ZERO, SpringTransactionIT::sellOne)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("transaction");
        fencing.useLockedTransaction("sku:4711", Duration.ofSeconds(10), Duration.ZERO, SpringTransactionIT::sellOne);
        assertThat(inventory.stock("4711")).isEqualTo(9);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void beginsItsOwnWhereSpringHasNone(Way way, boolean autoCommit) {
        DataSource pool = pool(autoCommit);
        FencedTransactions fencing = Fencing.of(way.jdbi(pool).installPlugin(new FencingPlugin()));
        fencing.useTransaction(LEASE, SpringTransactionIT::sellOne);
        assertThat(inventory.stock("4711")).as("no transaction of Spring").isEqualTo(9);

        TransactionTemplate supports = new TransactionTemplate(new DataSourceTransactionManager(pool));
        supports.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
        supports.executeWithoutResult(status -> fencing.useTransaction(LEASE, SpringTransactionIT::sellOne));
        assertThat(inventory.stock("4711")).as("Spring was asked to begin none").isEqualTo(8);

        try (HikariDataSource other = Pool.of(inventory.database, true)) {
            TransactionTemplate elsewhere = new TransactionTemplate(new DataSourceTransactionManager(other));
            elsewhere.executeWithoutResult(status -> fencing.useTransaction(LEASE, SpringTransactionIT::sellOne));
        }
        assertThat(inventory.stock("4711"))
                .as("Spring began one on another data source")
                .isEqualTo(7);
    }
}
