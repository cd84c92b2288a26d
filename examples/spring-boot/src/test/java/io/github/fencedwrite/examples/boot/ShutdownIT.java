package io.github.fencedwrite.examples.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.FencedLocks;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.ConnectException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ShutdownIT {

    @Test
    void finishesRequestsAndGivesTheirLeasesBack() throws Exception {
        Pause pause = new Pause(3);
        try (LocalServers servers = new LocalServers();
                Service service = new Service(servers, pause, "locks.ttl=30s")) {
            service.send("POST", "/products/4711", "{\"price\": 1, \"stock\": 10}");
            CompletableFuture<HttpResponse<String>> request =
                    service.sendAsync("POST", "/products/4711/reservations", "{\"quantity\": 3}");
            pause.awaitRequest();
            MeterRegistry registry = service.context.getBean(MeterRegistry.class);
            int port = Integer.parseInt(service.context.getEnvironment().getRequiredProperty("local.server.port"));

            CompletableFuture<Void> shutdown = CompletableFuture.runAsync(service::close);
            await().atMost(Duration.ofSeconds(30)).until(() -> refusesConnections(port));
            pause.goOn();

            assertThat(request.get(30, TimeUnit.SECONDS).body()).isEqualTo("{\"left\":7}");
            shutdown.get(60, TimeUnit.SECONDS);
            assertThat(registry.get("fencedwrite.abandoned").counter().count()).isZero();
            try (FencedLocks next = FencedLocks.builder()
                    .nodes(servers.nodes.uris())
                    .quarantine(false)
                    .build()) {
                assertThat(next.tryAcquire("sku:4711", Duration.ofSeconds(1))).isPresent();
            }
        }
    }

    private static boolean refusesConnections(int port) throws Exception {
        try (Socket socket = new Socket("localhost", port)) {
            assertThat(socket.isConnected()).isTrue();
            return false;
        } catch (ConnectException e) {
            return true;
        }
    }
}
