package io.github.fencedwrite.examples.inventory.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.examples.inventory.Api;
import io.github.fencedwrite.examples.inventory.Api.Answer;
import io.github.fencedwrite.examples.inventory.Fixture;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each bad request gets the right status and a problem that says what to do, and changes nothing. */
class BadInputIT {

    private static final String KEY = "a-key";

    private static Fixture fixture;
    private static Api api;

    @BeforeAll
    static void start() {
        fixture = Fixture.create();
        api = fixture.start();
        fixture.stock(api, "berlin", "4711", 10);
        fixture.stock(api, "hamburg", "4711", 10);
        assertThat(api.put("/products/nowhere", "{\"name\":\"x\",\"priceCents\":1}")
                        .status())
                .isEqualTo(200);
        assertThat(api.reserve(KEY, "4711", 1).status()).isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "PUT  | /products/4711 | {\"name\":\"x\"                        | 400 | malformed-json",
                "PUT  | /products/4711 | []                                     | 400 | malformed-json",
                "PUT  | /products/4711 | {\"name\":\"x\",\"name\":\"y\",\"priceCents\":1} | 400 | malformed-json",
                "PUT  | /products/4711 | {\"name\":\"x\",\"priceCents\":1} 2     | 400 | malformed-json",
                "PUT  | /products/4711 | {\"name\":\"x\",\"priceCents\":-1}      | 422 | invalid-value",
                "PUT  | /products/4711 | {\"name\":\"x\",\"priceCents\":1e3}     | 422 | invalid-value",
                "PUT  | /products/4711 | {\"name\":\"x\",\"priceCents\":99999999999999999999} | 422 | invalid-value",
                "PUT  | /products/4711 | {\"name\":\"\",\"priceCents\":1}        | 422 | invalid-value",
                "PUT  | /products/4711 | {\"name\":\"\\u0000\",\"priceCents\":1} | 422 | invalid-value",
                "PUT  | /products/4711 | {\"name\":7,\"priceCents\":1}           | 422 | invalid-value",
                "PUT  | /products/4711 | {\"name\":\"x\",\"priceCents\":1,\"z\":1} | 422 | invalid-value",
                "PUT  | /products/a%20b | {\"name\":\"x\",\"priceCents\":1}      | 422 | invalid-value",
                "PUT  | /warehouses/berlin/stock/4711 | {\"available\":-1}       | 422 | invalid-value",
                "PUT  | /warehouses/berlin/stock/4711 | {\"available\":1000000001} | 422 | invalid-value",
                "PUT  | /warehouses/berlin/stock/4711 | {\"available\":5000000000} | 422 | invalid-value",
                "PUT  | /warehouses/berlin/stock/4711 | {\"available\":\"5\"}    | 422 | invalid-value",
                "PUT  | /warehouses/berlin/stock/4711 | {                        | 400 | malformed-json",
                "PUT  | /warehouses/berlin/stock/none | {\"available\":1}        | 404 | not-found",
                "PUT  | /warehouses/moon/stock/4711   | {\"available\":1}        | 404 | not-found",
                "POST | /reservations | {\"warehouse\":\"berlin\",\"sku\":\"4711\",\"quantity\":  | 400 |"
                        + " malformed-json",
                "POST | /reservations | {\"warehouse\":\"berlin\",\"sku\":\"none\",\"quantity\":1} | 404 | not-found",
                "POST | /reservations | {\"warehouse\":\"berlin\",\"sku\":\"nowhere\",\"quantity\":1} | 404 |"
                        + " not-found",
                "POST | /reservations | {\"warehouse\":\"moon\",\"sku\":\"4711\",\"quantity\":1} | 404 | not-found",
                "POST | /reservations | {\"warehouse\":\"berlin\",\"sku\":\"4711\",\"quantity\":-3} | 422 |"
                        + " invalid-value",
                "POST | /reservations | {\"warehouse\":\"berlin\",\"sku\":\"4711\",\"quantity\":0} | 422 |"
                        + " invalid-value",
                "POST | /reservations | {\"warehouse\":\"berlin\",\"sku\":\"4711\",\"quantity\":1000001} | 422 |"
                        + " invalid-value",
                "POST | /reservations | {\"warehouse\":\"berlin\",\"sku\":\"4711\",\"quantity\":9223372036854775807} |"
                        + " 422 | invalid-value",
                "POST | /reservations | {\"warehouse\":\"berlin\",\"sku\":\"4711\",\"quantity\":1.5} | 422 |"
                        + " invalid-value",
                "POST | /reservations | {\"sku\":\"4711\",\"quantity\":1}        | 422 | invalid-value",
                "POST | /reservations | {\"warehouse\":\"berlin\",\"sku\":\"4711\",\"quantity\":1000} | 409 |"
                        + " not-enough-stock",
                "POST | /reservations/none/confirm | {}                          | 404 | not-found",
                "POST | /reservations/none/cancel | {}                           | 404 | not-found",
                "POST | /transfers | {\"from\":\"berlin\",\"to\":\"hamburg\"     | 400 | malformed-json",
                "POST | /transfers | {\"from\":\"berlin\",\"to\":\"berlin\",\"sku\":\"4711\",\"quantity\":1} | 422 |"
                        + " invalid-value",
                "POST | /transfers | {\"from\":\"berlin\",\"to\":\"moon\",\"sku\":\"4711\",\"quantity\":1} | 404 |"
                        + " not-found",
                "POST | /transfers | {\"from\":\"berlin\",\"to\":\"hamburg\",\"sku\":\"none\",\"quantity\":1} | 404 |"
                        + " not-found",
                "POST | /transfers | {\"from\":\"berlin\",\"to\":\"hamburg\",\"sku\":\"4711\",\"quantity\":-1} | 422 |"
                        + " invalid-value",
                "POST | /transfers | {\"from\":\"berlin\",\"to\":\"hamburg\",\"sku\":\"4711\",\"quantity\":11} | 409 |"
                        + " not-enough-stock",
                "POST | /products  | {}                                          | 405 | method-not-allowed",
                "POST | /nothing   | {}                                          | 404 | not-found",
            })
    void isAnsweredWithAProblem(String method, String path, String body, int status, String problem) {
        String before = fixture.contents();

        Answer answer = api.send(api.request(path)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "another-key")
                .method(method, BodyPublishers.ofString(body)));

        assertIsProblem(answer, status, problem);
        assertThat(fixture.contents()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({
        "/products/none",
        "/warehouses/berlin/stock/none",
        "/warehouses/moon/stock",
        "/reservations/none",
        "/reservations/123e4567-e89b-12d3-a456-426614174000",
        "/transfers/none",
        "/problems/none",
        "/nothing"
    })
    void whatIsNotThereIsNotFound(String path) {
        assertIsProblem(api.get(path), 404, "not-found");
    }

    @Test
    void aKeyThatBelongsToAnotherRequestIsRefused() {
        String before = fixture.contents();
        assertIsProblem(api.reserve(KEY, "4711", 2), 422, "key-reused");
        assertIsProblem(
                api.post("/transfers", KEY, "{\"from\":\"berlin\",\"to\":\"hamburg\",\"sku\":\"4711\",\"quantity\":1}"),
                422,
                "key-reused");
        assertThat(fixture.contents()).isEqualTo(before);
    }

    @Test
    void aRequestWithoutAKeyOrWithAStrangeOneIsRefused() {
        String before = fixture.contents();
        String body = Api.reservation("berlin", "4711", 1);
        assertIsProblem(
                api.send(api.request("/reservations")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))),
                422,
                "invalid-value");
        assertIsProblem(api.post("/reservations", "k".repeat(129), body), 422, "invalid-value");
        assertIsProblem(api.post("/reservations", "a b", body), 422, "invalid-value");
        assertThat(fixture.contents()).isEqualTo(before);
    }

    @Test
    void aBodyThatIsNotDeclaredAsJsonOrIsTooLargeIsRefused() {
        String before = fixture.contents();
        String body = Api.reservation("berlin", "4711", 1);
        assertIsProblem(
                api.send(api.request("/reservations")
                        .header("Content-Type", "text/plain")
                        .header("Idempotency-Key", "yet-another")
                        .POST(BodyPublishers.ofString(body))),
                415,
                "not-json");
        assertIsProblem(api.post("/reservations", " ".repeat(20_000) + body), 413, "too-large");
        assertThat(fixture.contents()).isEqualTo(before);
    }

    @Test
    void eachProblemIsExplainedUnderItsType() {
        for (ProblemType type : ProblemType.values()) {
            Answer answer = api.get(type.type());
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.string("whatToDo")).isEqualTo(type.whatToDo());
        }
    }

    static void assertIsProblem(Answer answer, int status, String problem) {
        assertThat(answer.text()).contains("\"/problems/" + problem + "\"");
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.contentType()).startsWith("application/problem+json");
        assertThat(answer.number("status")).isEqualTo(status);
        assertThat(answer.string("detail")).isNotBlank();
        assertThat(answer.string("whatToDo")).isNotBlank();
    }
}
