package io.github.fencedwrite.examples.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.inventory.Api.Answer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Clients that reserve, confirm and cancel at several instances at once, and repeat each request, with its key, until
 * they get an answer that is final.
 */
final class LoadedClients implements AutoCloseable {

    private static final int CLIENTS = 6;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final IntFunction<Api> instances;
    private final List<String> skus;
    private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    private final List<Future<?>> running = new ArrayList<>();
    private final AtomicInteger repetitions = new AtomicInteger();
    private final Map<String, String> states = new ConcurrentHashMap<>();
    private volatile boolean enough;

    /**
     * Starts the clients.
     *
     * @param instances which instance takes the n-th attempt
     */
    LoadedClients(IntFunction<Api> instances, List<String> skus, long seed) {
        this.instances = instances;
        this.skus = skus;
        for (int i = 0; i < CLIENTS; i++) {
            Random random = new Random(seed + i);
            running.add(threads.submit(() -> {
                while (!enough) {
                    work(random);
                }
            }));
        }
    }

    private void work(Random random) {
        String key = new UUID(random.nextLong(), random.nextLong()).toString();
        String sku = skus.get(random.nextInt(skus.size()));
        Answer answer = untilFinal(random, api -> api.reserve(key, sku, 1));
        if (answer.status() == 409) {
            assertThat(answer.string("type")).isEqualTo("/problems/not-enough-stock");
            return;
        }
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        String id = answer.string("id");
        assertThat(states.put(id, "PENDING")).as("sold twice").isNull();
        String what = random.nextInt(3) == 0 ? "cancel" : "confirm";
        Answer changed = untilFinal(random, api -> api.post("/reservations/" + id + "/" + what));
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        states.put(id, changed.string("state"));
    }

    private Answer untilFinal(Random random, Function<Api, Answer> request) {
        Answer[] last = new Answer[1];
        int[] attempt = {random.nextInt(2)};
        await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    try {
                        last[0] = request.apply(instances.apply(attempt[0]++));
                    } catch (UncheckedIOException away) {
                        repetitions.incrementAndGet();
                        return false;
                    }
                    boolean again =
                            last[0].status() == 503 || last[0].string("type").equals("/problems/stale-write");
                    repetitions.addAndGet(again ? 1 : 0);
                    return !again;
                });
        return last[0];
    }

    /** How many requests had their final answer. */
    int done() {
        return states.size();
    }

    /** How many requests had to be sent again. */
    int repetitions() {
        return repetitions.get();
    }

    /** Ends, and tells what the clients believe of each reservation. */
    Map<String, String> stop() throws Exception {
        enough = true;
        for (Future<?> client : running) {
            client.get();
        }
        return Map.copyOf(states);
    }

    @Override
    public void close() {
        enough = true;
        threads.shutdownNow();
    }
}
