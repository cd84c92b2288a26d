package io.github.fencedwrite.examples.chaos.worker;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.jdbi.FencingPlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jdbi.v3.core.Jdbi;

/** One worker process: threads that work until they are told to end. One of them is a straggler. */
final class Worker implements AutoCloseable {

    static final Duration TTL = Duration.ofSeconds(1);

    private static final int THREADS = 6;
    private static final int CONNECTIONS = THREADS + 1;

    private final HikariDataSource dataSource;
    private final FencedLocks locks;
    private final Journal journal;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ends;

    Worker(WorkerSettings settings, Consumer<String> say) {
        dataSource = connect(settings);
        locks = FencedLocks.builder()
                .nodes(settings.nodes())
                .maxTtl(TTL)
                .maxLifetime(TTL.multipliedBy(5))
                .build();
        journal = Journal.append(settings.journal());
        Guards guards = settings.guarded() ? new Guarded() : new Unguarded();
        Tools tools = new Tools(
                guards,
                Jdbi.create(dataSource).installPlugin(new FencingPlugin()),
                Jdbi.create(dataSource).installPlugin(FencingPlugin.announcing()),
                journal);
        for (int i = 0; i < THREADS; i++) {
            String name = settings.name() + "-" + i;
            Pace pace = i == 0 ? new Straggling(tools.jdbi(), () -> ends, say) : new Strolling(settings.seed() + i);
            Shift shift = new Shift(name, locks, tools, pace, settings.seed() * THREADS + i);
            threads.add(new Thread(() -> shift.work(() -> ends), name));
        }
    }

    private static HikariDataSource connect(WorkerSettings settings) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(settings.jdbcUrl());
        config.setUsername(settings.user());
        config.setPassword(settings.password());
        config.addDataSourceProperty("ApplicationName", settings.name());
        config.setMaximumPoolSize(CONNECTIONS);
        config.setConnectionTimeout(5_000);
        config.setInitializationFailTimeout(-1); // it may be started while the database is down
        return new HikariDataSource(config);
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /** Lets each thread end what it does. */
    @Override
    public void close() {
        ends = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        locks.close();
        dataSource.close();
        journal.close();
    }
}
