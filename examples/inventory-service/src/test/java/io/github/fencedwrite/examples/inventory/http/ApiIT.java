package io.github.fencedwrite.examples.inventory.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.inventory.Api;
import io.github.fencedwrite.examples.inventory.Api.Answer;
import io.github.fencedwrite.examples.inventory.Fixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the service does over HTTP when all is well. */
class ApiIT {

    private static Fixture fixture;
    private static Api api;
    private static int articles;

    private String sku;

    @BeforeAll
    static void start() {
        fixture = Fixture.create();
        api = fixture.start();
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    @BeforeEach
    void stockArticle() {
        sku = "article-" + ++articles;
        fixture.stock(api, "berlin", sku, 10);
        fixture.stock(api, "hamburg", sku, 0);
    }

    @Test
    void keepsProductsAndStock() {
        assertThat(api.get("/products/" + sku).string("name")).isEqualTo("Article");
        assertThat(api.put("/products/" + sku, "{\"name\":\"Lamp\",\"priceCents\":0}")
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/products/" + sku).string("name")).isEqualTo("Lamp");
        assertThat(api.get("/products").text()).contains(sku);
        assertThat(api.get("/warehouses/berlin/stock").text()).contains(sku);
        assertThat(api.available("berlin", sku)).isEqualTo(10);
    }

    @Test
    void reservesConfirmsAndCancels() {
        Answer sold = api.reserve("sold-" + sku, sku, 3);
        Answer given = api.reserve("given-" + sku, sku, 4);
        assertThat(sold.status()).isEqualTo(201);
        assertThat(api.available("berlin", sku)).isEqualTo(3);

        assertThat(api.post("/reservations/" + sold.string("id") + "/confirm").string("state"))
                .isEqualTo("CONFIRMED");
        assertThat(api.post("/reservations/" + given.string("id") + "/cancel").string("state"))
                .isEqualTo("CANCELLED");
        assertThat(api.post("/reservations/" + given.string("id") + "/cancel").status())
                .isEqualTo(200);
        assertThat(api.available("berlin", sku)).isEqualTo(7);

        assertThat(api.post("/reservations/" + sold.string("id") + "/cancel").status())
                .isEqualTo(409);
        assertThat(api.post("/reservations/" + given.string("id") + "/confirm").status())
                .isEqualTo(409);
        assertThat(api.available("berlin", sku)).isEqualTo(7);
    }

    @Test
    void putsExpiredReservationsBack() {
        try (Fixture own = Fixture.create()) {
            Api hasty = own.start(Map.of("RESERVATION_LIFETIME", "PT0.5S"), (stock, quantity) -> true);
            own.stock(hasty, "berlin", "4711", 10);
            String id = hasty.reserve("key", "4711", 3).string("id");

            await().atMost(Duration.ofMinutes(1))
                    .until(() ->
                            hasty.get("/reservations/" + id).string("state").equals("EXPIRED"));

            assertThat(hasty.available("berlin", "4711")).isEqualTo(10);
            assertThat(hasty.post("/reservations/" + id + "/confirm").status()).isEqualTo(409);
        }
    }

    @Test
    void movesStockBetweenWarehousesInOneTransaction() {
        String body = "{\"from\":\"berlin\",\"to\":\"hamburg\",\"sku\":\"" + sku + "\",\"quantity\":4}";
        Answer moved = api.post("/transfers", "move-" + sku, body);
        assertThat(moved.status()).isEqualTo(201);
        assertThat(api.post("/transfers", "move-" + sku, body).string("id")).isEqualTo(moved.string("id"));
        assertThat(api.get("/transfers/" + moved.string("id")).number("quantity"))
                .isEqualTo(4);
        assertThat(api.available("berlin", sku)).isEqualTo(6);
        assertThat(api.available("hamburg", sku)).isEqualTo(4);
    }

    @Test
    void transfersInBothDirectionsDoNotWaitForEachOtherForEver() throws Exception {
        fixture.stock(api, "hamburg", sku, 10);
        List<Callable<Answer>> work = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String from = i % 2 == 0 ? "berlin" : "hamburg";
            String to = i % 2 == 0 ? "hamburg" : "berlin";
            work.add(() -> api.post(
                    "/transfers",
                    "{\"from\":\"" + from + "\",\"to\":\"" + to + "\",\"sku\":\"" + sku + "\",\"quantity\":1}"));
        }
        assertThat(atOnce(work))
                .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(201));
        assertThat(api.available("berlin", sku)).isEqualTo(10);
        assertThat(api.available("hamburg", sku)).isEqualTo(10);
    }

    @Test
    void sellsNoMoreThanThereIsToClientsAtOnce() throws Exception {
        List<Callable<Answer>> work = new ArrayList<>();
        for (int i = 0; i < 14; i++) {
            String key = "client-" + i + "-" + sku;
            work.add(() -> api.reserve(key, sku, 1));
        }
        List<Answer> answers = atOnce(work);
        assertThat(answers.stream().filter(answer -> answer.status() == 201)).hasSize(10);
        assertThat(answers.stream().filter(answer -> answer.string("type").equals("/problems/not-enough-stock")))
                .hasSize(4);
        assertThat(api.available("berlin", sku)).isZero();
    }

    @Test
    void aRepeatedRequestTakesEffectOnceEvenAtOnce() throws Exception {
        List<Callable<Answer>> work = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            work.add(() -> api.reserve("same-" + sku, sku, 2));
        }
        List<Answer> answers = atOnce(work);
        assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(201));
        assertThat(answers.stream().map(answer -> answer.string("id")).distinct())
                .hasSize(1);
        assertThat(api.available("berlin", sku)).isEqualTo(8);
    }

    @Test
    void tellsHealthAndMetrics() {
        assertThat(api.get("/health").string("status")).isEqualTo("UP");
        assertThat(api.get("/health").body().path("nodes")).hasSize(3);
        assertThat(api.get("/metrics").text())
                .contains("fencedwrite_acquire_seconds_count")
                .contains(
                        "inventory_http_requests_seconds_count{method=\"PUT\",route=\"/products/{sku}\",status=\"200\"}")
                .contains("hikaricp_connections");
    }

    private static List<Answer> atOnce(List<Callable<Answer>> work) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(work.size());
        try {
            List<Answer> answers = new ArrayList<>();
            for (Future<Answer> future : clients.invokeAll(work)) {
                answers.add(future.get());
            }
            return answers;
        } finally {
            clients.shutdownNow();
        }
    }
}
