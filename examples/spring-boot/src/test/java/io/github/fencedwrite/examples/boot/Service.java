package io.github.fencedwrite.examples.boot;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** A running service of a test, and what is asked of it over HTTP. */
final class Service implements AutoCloseable {

    private final HttpClient http = HttpClient.newHttpClient();
    final ConfigurableApplicationContext context;
    private final URI uri;

    /** Starts the service with another approval and with one further setting, given as {@code name=value}. */
    Service(LocalServers servers, Approval approval, String setting) {
        context = new SpringApplicationBuilder(ProductApplication.class)
                .initializers(context -> ((GenericApplicationContext) context)
                        .registerBean("testApproval", Approval.class, () -> approval, bean -> bean.setPrimary(true)))
                .run(servers.arguments("server.port=0", setting));
        uri = URI.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port"));
    }

    HttpResponse<String> send(String method, String path, String body) throws IOException, InterruptedException {
        return http.send(request(method, path, body), HttpResponse.BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> sendAsync(String method, String path, String body) {
        return http.sendAsync(request(method, path, body), HttpResponse.BodyHandlers.ofString());
    }

    String get(String path) throws IOException, InterruptedException {
        return send("GET", path, "").body();
    }

    private HttpRequest request(String method, String path, String body) {
        return HttpRequest.newBuilder(uri.resolve(path))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    @Override
    public void close() {
        context.close();
    }
}
