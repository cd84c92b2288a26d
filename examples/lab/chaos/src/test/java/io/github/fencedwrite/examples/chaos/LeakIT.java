package io.github.fencedwrite.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.examples.servers.FakeTime;
import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.examples.servers.RedisNodes;
import io.github.fencedwrite.jdbi.FencingPlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An hour's worth of operations in a moment (ten a second: {@code -Doperations=36000}): what is in use goes back to its start. */
class LeakIT {

    private static final int OPERATIONS = Integer.getInteger("operations", 4_000);
    private static final int WARM_UP = 1_500;
    private static final int THREADS = 4;
    private static final int CLIENTS = 20;
    private static final Duration RETENTION = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Far below what a leak of a few hundred bytes an operation would come to. */
    private static final long HEAP_NOISE = 2 << 20;

    private final Optional<FakeTime> clock = FakeTime.create();
    private final AtomicInteger count = new AtomicInteger();
    private RedisNodes nodes;
    private PostgresDatabase database;
    private Usage usage;

    @BeforeEach
    void start() {
        RedisNodes.Builder builder = RedisNodes.nodes(3).embedded(); // their clocks are to jump
        clock.ifPresent(time -> time.environment().forEach(builder::environment));
        nodes = builder.start();
        database = Postgres.shared().newDatabase();
        new Tables(database).create(false);
        usage = new Usage(nodes, database);
    }

    @AfterEach
    void stop() {
        database.close();
        nodes.close();
        clock.ifPresent(FakeTime::close);
    }

    @Test
    void leavesNothingBehind() throws Exception {
        long threads = usage.threads();
        long connections = usage.redisConnections();
        assertThat(usage.sessions()).isZero();
        assertThat(usage.keys()).isZero();

        try (HikariDataSource pool = pool()) {
            Jdbi jdbi = Jdbi.create(pool).installPlugin(new FencingPlugin());
            try (FencedLocks locks = locks()) {
                work(locks, jdbi, WARM_UP);
                long heap = usage.heap();
                work(locks, jdbi, OPERATIONS);
                assertThat(usage.redisConnections() - connections)
                        .isLessThanOrEqualTo(nodes.all().size() * 18L);
                back("heap with the client open", heap + HEAP_NOISE, usage::heap);
            }
            back("threads", threads, usage::threads);
            back("connections to Redis", connections, usage::redisConnections);

            long heap = usage.heap();
            for (int i = 0; i < CLIENTS; i++) {
                try (FencedLocks locks = locks()) {
                    work(locks, jdbi, OPERATIONS / CLIENTS / 10);
                }
            }
            back("heap after many clients", heap + HEAP_NOISE, usage::heap);
            back("threads after many clients", threads, usage::threads);
            back("connections to Redis after many clients", connections, usage::redisConnections);
        }
        back("sessions", 0, usage::sessions);
        // those that were never released, or cancelled under way, had a few seconds at most
        back("locks", 0, usage::locks);
        assertThat(usage.keys()).as("counters").isPositive();
        assertThat(usage.keysThatOutlive(RETENTION.toMillis())).isZero();
        if (clock.isPresent()) {
            clock.get().jump(RETENTION.plusMinutes(1));
            back("keys after the retention", 0, usage::keys);
        }
        System.out.println(count + " operations");
    }

    private static void back(String what, long limit, Callable<Long> now) {
        await(what)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(now.call()).as(what).isLessThanOrEqualTo(limit));
    }

    private void work(FencedLocks locks, Jdbi jdbi, int operations) throws Exception {
        EverydayWork work = new EverydayWork(locks, jdbi, count);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.add(threads.submit(() -> {
                    for (int j = 0; j < operations / THREADS; j++) {
                        work.once();
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private FencedLocks locks() {
        return FencedLocks.builder()
                .nodes(nodes.uris())
                .quarantine(false)
                .nodeTimeout(Duration.ofSeconds(2)) // a slow machine is no leak
                .maxLifetime(RETENTION.dividedBy(2))
                .retention(RETENTION)
                .build();
    }

    private HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(THREADS);
        return new HikariDataSource(config);
    }
}
