package io.github.fencedwrite.examples.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.Data;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;

class ProductServiceIT {

    private static final Pause PAUSE = new Pause(3);

    private static LocalServers servers;
    private static Service service;
    private static Jdbi database;

    @BeforeAll
    static void start() {
        servers = new LocalServers();
        database = Jdbi.create(servers.database.dataSource());
        service = new Service(servers, PAUSE, "locks.ttl=1s");
    }

    @AfterAll
    static void stop() {
        service.close();
        servers.close();
    }

    @BeforeEach
    void tenPieces() {
        database.useHandle(handle -> {
            handle.execute("TRUNCATE reservation, price_change, product");
            handle.execute("INSERT INTO product (sku, price, stock) VALUES ('4711', 12.50, 10)");
        });
    }

    @Test
    void runsOnTheVersionOfBootThatTheBuildNames() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("spring-boot.version"));
    }

    @Test
    void createsAProductOnce() throws Exception {
        String product = "{\"price\": 1, \"stock\": 5}";

        assertThat(service.send("POST", "/products/4712", product).statusCode()).isEqualTo(201);
        assertThat(service.send("POST", "/products/4712", product).statusCode()).isEqualTo(409);
        assertThat(service.get("/products/4712")).contains("\"stock\":5");
    }

    @Test
    void changesAPriceAndRecordsIt() throws Exception {
        assertThat(service.send("PUT", "/products/4711/price", "{\"price\": 9.99}")
                        .statusCode())
                .isEqualTo(204);

        assertThat(number("SELECT price * 100 FROM product")).isEqualTo(999);
        assertThat(number("SELECT count(*) FROM price_change")).isEqualTo(1);
    }

    @Test
    void reservesWhatIsThereAndNoMore() throws Exception {
        assertThat(reserve(8).body()).isEqualTo("{\"left\":2}");

        assertThat(reserve(8).statusCode()).isEqualTo(409);
        assertThat(number("SELECT stock FROM product")).isEqualTo(2);
        assertThat(number("SELECT sum(quantity) FROM reservation")).isEqualTo(8);
    }

    @Test
    void returnsReservationsToStock() throws Exception {
        reserve(2);
        reserve(5);

        assertThat(service.send("DELETE", "/products/4711/reservations", "").body())
                .isEqualTo("{\"returned\":7}");
        assertThat(number("SELECT stock FROM product")).isEqualTo(10);
        assertThat(number("SELECT count(*) FROM reservation")).isZero();
    }

    @Test
    void refusesARequestWhoseLeaseRanOutAndRollsItsTransactionBack() throws Exception {
        CompletableFuture<HttpResponse<String>> paused =
                service.sendAsync("POST", "/products/4711/reservations", "{\"quantity\": 3}");
        PAUSE.awaitRequest();
        assertThat(reserve(1).body()).isEqualTo("{\"left\":9}"); // waits until the lease has run out
        PAUSE.goOn();

        HttpResponse<String> response = paused.get(30, TimeUnit.SECONDS);
        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(response.body()).contains("Repeat the request");
        assertThat(number("SELECT stock FROM product")).isEqualTo(9);
        assertThat(number("SELECT sum(quantity) FROM reservation")).isEqualTo(1);
    }

    @Test
    void saysWhatIsWrongWithARequestAndChangesNothing() throws Exception {
        assertProblem(400, "POST", "/products/4711/reservations", "{\"quantity\": -1}");
        assertProblem(400, "POST", "/products/4711/reservations", "{\"quantity\": ");
        assertProblem(400, "PUT", "/products/4711/price", "{}");
        assertProblem(404, "POST", "/products/none/reservations", "{\"quantity\": 1}");
        assertProblem(404, "PUT", "/products/none/price", "{\"price\": 1}");
        assertProblem(404, "GET", "/products/none", "");
        assertThat(number("SELECT stock FROM product")).isEqualTo(10);
    }

    @Test
    void saysThatItIsDownWhileTooFewNodesCanVote() throws Exception {
        assertThat(service.get("/actuator/health"))
                .contains("\"locks\":{", "votes")
                .doesNotContain("DOWN");

        servers.nodes.get(0).kill();
        servers.nodes.get(1).kill();
        try {
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                HttpResponse<String> health = service.send("GET", "/actuator/health", "");
                assertThat(health.statusCode()).isEqualTo(503);
                assertThat(health.body()).contains("\"down\"");
            });
            HttpResponse<String> refused = service.send("DELETE", "/products/4711/reservations", "");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
        } finally {
            servers.nodes.get(0).restart(Data.KEPT);
            servers.nodes.get(1).restart(Data.KEPT);
        }
        await().atMost(Duration.ofMinutes(2))
                .until(() -> service.send("GET", "/actuator/health", "").statusCode() == 200);
    }

    @Test
    void showsTheLocksToPrometheus() throws Exception {
        reserve(1);

        assertThat(service.get("/actuator/prometheus"))
                .containsPattern("fencedwrite_acquire_seconds_count\\{outcome=\"acquired\"} [1-9]")
                .containsPattern("fencedwrite_node_up\\{node=\"[^\"]+\"} 1.0")
                .containsPattern("fencedwrite_writes_total\\{outcome=\"applied\",table=\"product\"} [1-9]");
    }

    private static HttpResponse<String> reserve(int quantity) throws Exception {
        return service.send("POST", "/products/4711/reservations", "{\"quantity\": " + quantity + "}");
    }

    private static void assertProblem(int status, String method, String path, String body) throws Exception {
        HttpResponse<String> response = service.send(method, path, body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
    }

    private static int number(String sql) {
        return database.withHandle(
                handle -> handle.createQuery(sql).mapTo(Integer.class).one());
    }
}
