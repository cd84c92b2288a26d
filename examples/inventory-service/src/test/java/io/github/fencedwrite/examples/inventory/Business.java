package io.github.fencedwrite.examples.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import org.jdbi.v3.core.Jdbi;

/** Two sellers and two readers at work on the inventory, one request after the other, until they are stopped. */
final class Business implements AutoCloseable {

    private static final int PEOPLE = 4;

    private final Jdbi jdbi;
    private final ExecutorService people = Executors.newFixedThreadPool(PEOPLE);
    private final AtomicIntegerArray answered = new AtomicIntegerArray(PEOPLE);
    private final AtomicInteger sold = new AtomicInteger();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final ReadWriteLock deployment = new ReentrantReadWriteLock();
    private volatile Predicate<String> sale;
    private volatile boolean stopped;

    /** Sellers begin as they did before there were tokens. */
    Business(Jdbi jdbi) {
        this.jdbi = jdbi;
        this.sale = this::sellPlainly;
        for (int i = 0; i < PEOPLE; i++) {
            int person = i;
            people.execute(() -> work(person));
        }
    }

    /**
     * Deploys other sellers, who begin when the last of the former has ended: what one writes without a token between
     * the claim and the write of another is lost.
     */
    void sellBy(Predicate<String> other) {
        deployment.writeLock().lock();
        try {
            sale = other;
        } finally {
            deployment.writeLock().unlock();
        }
        assertGoesOn();
    }

    void sellWithoutTokens() {
        sellBy(this::sellPlainly);
    }

    /** Everybody has had two more requests answered, the first of which may have begun before; none has failed. */
    void assertGoesOn() {
        int[] before = new int[PEOPLE];
        for (int i = 0; i < PEOPLE; i++) {
            before[i] = answered.get(i);
        }
        await().atMost(Duration.ofMinutes(2)).until(() -> {
            boolean all = true;
            for (int i = 0; i < PEOPLE; i++) {
                all &= answered.get(i) >= before[i] + 2;
            }
            return all || !failures.isEmpty();
        });
        assertThat(failures).isEmpty();
    }

    /** Ends all work and tells how many pieces were sold. */
    int stop() throws InterruptedException {
        stopped = true;
        people.shutdown();
        assertThat(people.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
        assertThat(failures).isEmpty();
        return sold.get();
    }

    private void work(int person) {
        while (!stopped) {
            String sku = "sku-" + ThreadLocalRandom.current().nextInt(1, 5);
            try {
                if (person % 2 == 0) {
                    sell(sku);
                } else {
                    assertThat(readAll(sku)).isPositive();
                }
                answered.incrementAndGet(person);
            } catch (RuntimeException | AssertionError failure) {
                failures.add(failure);
            }
        }
    }

    private void sell(String sku) {
        deployment.readLock().lock();
        try {
            assertThat(sale.test(sku)).isTrue();
            sold.incrementAndGet();
        } finally {
            deployment.readLock().unlock();
        }
    }

    private boolean sellPlainly(String sku) {
        return jdbi.withHandle(handle -> handle.execute(
                        "UPDATE stock SET available = available - 1 WHERE sku = ? AND available > 0", sku))
                == 1;
    }

    /** As many applications read: all columns, whatever they are. */
    private int readAll(String sku) {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT * FROM stock WHERE sku = :sku")
                .bind("sku", sku)
                .map((row, context) -> row.getInt("available"))
                .one());
    }

    @Override
    public void close() throws InterruptedException {
        stopped = true;
        people.shutdownNow();
        people.awaitTermination(2, TimeUnit.MINUTES);
    }
}
