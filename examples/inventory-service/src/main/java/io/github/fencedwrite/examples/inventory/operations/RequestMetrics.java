package io.github.fencedwrite.examples.inventory.operations;

import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.router.Endpoint;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/** Times each request: {@code inventory.http.requests} by method, route and status. */
public final class RequestMetrics {

    private RequestMetrics() {}

    /** Adds the timer to a server. */
    public static void addTo(JavalinConfig config, MeterRegistry registry) {
        config.requestLogger.http((ctx, millis) -> registry.timer(
                        "inventory.http.requests",
                        "method",
                        ctx.method().name(),
                        "route",
                        route(ctx),
                        "status",
                        String.valueOf(ctx.statusCode()))
                .record(Duration.ofNanos((long) (millis * 1e6))));
    }

    /** Never the address itself: each sku would be a time series of its own. */
    private static String route(Context ctx) {
        Endpoint endpoint = ctx.endpoints().matchedHttpEndpoint();
        return endpoint == null ? "none" : endpoint.path;
    }
}
