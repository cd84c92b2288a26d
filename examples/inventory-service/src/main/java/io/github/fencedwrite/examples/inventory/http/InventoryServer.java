package io.github.fencedwrite.examples.inventory.http;

import io.github.fencedwrite.examples.inventory.Configuration;
import io.github.fencedwrite.examples.inventory.operations.RequestMetrics;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.json.JavalinJackson;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Consumer;
import org.eclipse.jetty.server.handler.GracefulHandler;

/** Javalin as this service uses it: strict JSON, problems, metrics, and an end that lets requests finish. */
public final class InventoryServer implements AutoCloseable {

    private static final long LARGEST_BODY = 10_000;

    private final Javalin javalin;

    private InventoryServer(Javalin javalin) {
        this.javalin = javalin;
    }

    /** Starts to serve the routes that {@code addRoutes} adds. */
    public static InventoryServer start(
            Configuration configuration, MeterRegistry registry, Consumer<JavalinConfig> addRoutes) {
        return new InventoryServer(Javalin.start(config -> {
            config.startup.showJavalinBanner = false;
            config.jetty.host = configuration.host();
            config.jetty.port = configuration.port();
            config.jetty.modifyServer(server -> {
                server.setStopTimeout(configuration.shutdownTimeout().toMillis());
                server.setHandler(new GracefulHandler());
            });
            config.http.maxRequestSize = LARGEST_BODY;
            config.http.prefer405over404 = true;
            config.jsonMapper(new JavalinJackson(JsonBody.MAPPER, false));
            RequestMetrics.addTo(config, registry);
            Problems.addTo(config.routes);
            addRoutes.accept(config);
        }));
    }

    /** Where HTTP is served. */
    public int port() {
        return javalin.port();
    }

    /** Takes no new connections and waits until the running requests are answered, for a bounded time. */
    @Override
    public void close() {
        javalin.stop();
    }
}
