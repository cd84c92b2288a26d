package io.github.fencedwrite.examples.inventory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.UUID;

/** A client of one instance. Thread safe. */
public final class Api {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final int port;
    private final String base;

    public Api(int port) {
        this.port = port;
        this.base = "http://127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    /** What came back; the body is empty where it is no JSON. */
    public record Answer(int status, String contentType, String text, JsonNode body) {

        public String string(String field) {
            return body.path(field).asText();
        }

        public int number(String field) {
            return body.path(field).asInt(Integer.MIN_VALUE);
        }
    }

    public Answer get(String path) {
        return send(request(path).GET());
    }

    public Answer put(String path, String body) {
        return send(request(path).header("Content-Type", "application/json").PUT(BodyPublishers.ofString(body)));
    }

    public Answer post(String path) {
        return send(request(path).POST(BodyPublishers.noBody()));
    }

    public Answer post(String path, String body) {
        return post(path, UUID.randomUUID().toString(), body);
    }

    public Answer post(String path, String key, String body) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body)));
    }

    public Answer reserve(String key, String sku, int quantity) {
        return post("/reservations", key, reservation("berlin", sku, quantity));
    }

    public static String reservation(String warehouse, String sku, long quantity) {
        return "{\"warehouse\":\"" + warehouse + "\",\"sku\":\"" + sku + "\",\"quantity\":" + quantity + "}";
    }

    public int available(String warehouse, String sku) {
        return get("/warehouses/" + warehouse + "/stock/" + sku).number("available");
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path)).timeout(Duration.ofSeconds(60));
    }

    public Answer send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            String type = response.headers().firstValue("Content-Type").orElse("");
            JsonNode body = type.contains("json") ? JSON.readTree(response.body()) : JSON.createObjectNode();
            return new Answer(response.statusCode(), type, response.body(), body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
