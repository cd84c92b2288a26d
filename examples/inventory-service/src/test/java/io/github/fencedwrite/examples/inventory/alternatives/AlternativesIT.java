package io.github.fencedwrite.examples.inventory.alternatives;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each way gives an exact count when many come at once. */
class AlternativesIT {

    private static final int CLIENTS = 14;
    private static final int STOCK = 10;

    private PostgresDatabase database;
    private Jdbi jdbi;

    @BeforeEach
    void createTables() {
        database = Postgres.shared().newDatabase();
        Flyway.configure()
                .dataSource(database.dataSource())
                .locations("classpath:db/alternatives")
                .load()
                .migrate();
        jdbi = Jdbi.create(database.dataSource());
        jdbi.useHandle(handle -> handle.execute("INSERT INTO shelf (sku, available) VALUES ('4711', ?)", STOCK));
    }

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void versionColumn() throws Exception {
        assertSellsAllAndNoMore(atOnce(each -> new VersionedShelf(each).take("4711", 1)));
    }

    @Test
    void selectForUpdate() throws Exception {
        assertSellsAllAndNoMore(atOnce(each -> new LockedRowShelf(each).take("4711", 1)));
    }

    @Test
    void advisoryLock() throws Exception {
        assertSellsAllAndNoMore(atOnce(each -> new AdvisoryLockShelf(each).take("4711", 1)));
    }

    @Test
    void uniqueConstraint() throws Exception {
        assertThat(atOnce(each -> new CouponOnce(each).use("spring", "customer-1")))
                .isEqualTo(1);
    }

    private void assertSellsAllAndNoMore(int granted) {
        int left = jdbi.withHandle(handle -> handle.select("SELECT available FROM shelf")
                .mapTo(Integer.class)
                .one());
        assertThat(granted).isEqualTo(STOCK);
        assertThat(left).isZero();
    }

    /** How many of the clients were told yes. */
    private int atOnce(Function<Jdbi, Boolean> client) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            Callable<Boolean> call = () -> client.apply(jdbi);
            List<Callable<Boolean>> calls = Collections.nCopies(CLIENTS, call);
            int granted = 0;
            for (Future<Boolean> answer : threads.invokeAll(calls)) {
                granted += answer.get() ? 1 : 0;
            }
            return granted;
        } finally {
            threads.shutdownNow();
        }
    }
}
