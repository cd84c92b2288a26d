package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Business requests on the table item, from two writers and two readers, each of which gives up when it has to wait for a
 * lock longer than the limit: a failure here is a request that stood in a queue.
 */
final class Traffic implements AutoCloseable {

    /** How the writers write. */
    enum Writers {
        /** As before fencing. */
        PLAIN,
        /** With a token that is announced, as the Jdbi plugin writes on strict tables. */
        FENCED
    }

    private static final int ROWS = 1000;

    private final DataSource dataSource;
    private final String lockTimeout;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong tokens = new AtomicLong(1);
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile Writers writers;
    private volatile boolean stopped;

    private Traffic(DataSource dataSource, String lockTimeout, Writers writers) {
        this.dataSource = dataSource;
        this.lockTimeout = lockTimeout;
        this.writers = writers;
    }

    /** Traffic as before fencing. */
    static Traffic on(DataSource dataSource, String lockTimeout) {
        return flowing(dataSource, lockTimeout, Writers.PLAIN);
    }

    /** Traffic whose writers present tokens from the first request on. */
    static Traffic fenced(DataSource dataSource, String lockTimeout) {
        return flowing(dataSource, lockTimeout, Writers.FENCED);
    }

    private static Traffic flowing(DataSource dataSource, String lockTimeout, Writers writers) {
        Traffic traffic = new Traffic(dataSource, lockTimeout, writers);
        for (Runnable work : List.<Runnable>of(traffic::write, traffic::read)) {
            for (int i = 0; i < 2; i++) {
                traffic.threads.execute(work);
            }
        }
        traffic.flows();
        return traffic;
    }

    /** Lets all later writes be of this kind, and returns when none of the other is under way. */
    void writers(Writers kind) {
        writers = kind;
        flows();
    }

    /** Returns when at least two dozen more requests were answered. */
    void flows() {
        long before = requests.get();
        await().atMost(Duration.ofSeconds(30)).until(() -> requests.get() > before + 24 || !failures.isEmpty());
    }

    long requests() {
        return requests.get();
    }

    Queue<Throwable> failures() {
        return failures;
    }

    void assertNoRequestFailed() {
        flows();
        assertThat(failures).isEmpty();
    }

    private void write() {
        loop(session -> {
            int id = ThreadLocalRandom.current().nextInt(1, ROWS + 1);
            if (writers == Writers.PLAIN) {
                session.write("UPDATE item SET stock = stock + 1 WHERE id = " + id);
            } else {
                session.write("UPDATE item SET stock = stock + 1, last_token = set_config('fencing.token', '"
                        + tokens.incrementAndGet() + "', true)::bigint WHERE id = " + id + " AND last_token < "
                        + tokens.get());
            }
        });
    }

    private void read() {
        loop(session -> session.ask("SELECT stock FROM item WHERE id = "
                + ThreadLocalRandom.current().nextInt(1, ROWS + 1)));
    }

    private void loop(Consumer<Session> request) {
        try (Session session = new Session(dataSource)) {
            session.run("SET lock_timeout = '" + lockTimeout + "'");
            while (!stopped) {
                try {
                    request.accept(session);
                } catch (SqlFailure e) {
                    failures.add(e);
                }
                requests.incrementAndGet();
            }
        } catch (RuntimeException e) {
            failures.add(e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        stopped = true;
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }
}
