package io.github.fencedwrite.examples.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** What a running request gets when its instance is asked to end. */
class GracefulShutdownIT {

    @Test
    void finishesTheRequestThatRunsAndGivesItsLeaseBack() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (Fixture fixture = Fixture.create()) {
            Api api = fixture.start(Map.of("LEASE_TTL", "PT30S"), (stock, quantity) -> {
                inside.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return true;
            });
            fixture.stock(api, "berlin", "4711", 10);
            CompletableFuture<Api.Answer> answer = CompletableFuture.supplyAsync(() -> api.reserve("key", "4711", 1));
            inside.await();

            CompletableFuture<Void> end = CompletableFuture.runAsync(fixture::stop);
            await().until(() -> refusesNewConnections(api));
            assertThat(answer).isNotDone();
            go.countDown();

            assertThat(answer.get().status()).isEqualTo(201);
            end.get();
            assertThat(fixture.count("SELECT count(*) FROM reservation")).isEqualTo(1);
            fixture.nodes.all().forEach(node -> {
                try (Jedis jedis = new Jedis(URI.create(node.uri()))) {
                    assertThat(jedis.keys("*:lock")).isEmpty();
                }
            });
        }
    }

    private static boolean refusesNewConnections(Api api) {
        try {
            return new Api(api.port()).get("/ready").status() == 503;
        } catch (UncheckedIOException refused) {
            return true;
        }
    }
}
