package io.github.fencedwrite.examples.inventory.operations;

import io.javalin.config.RoutesConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/**
 * {@code /health} tells how everything is, {@code /ready} decides whether a load balancer sends requests here, {@code
 * /metrics} is for Prometheus.
 */
public final class OperationsRoutes {

    private final Health health;
    private final PrometheusMeterRegistry registry;

    /** Creates the routes. */
    public OperationsRoutes(Health health, PrometheusMeterRegistry registry) {
        this.health = health;
        this.registry = registry;
    }

    /** Adds the routes to a server. */
    public void addTo(RoutesConfig routes) {
        // always 200: an instance is not to be restarted because a database or a node is away
        routes.get("/health", ctx -> ctx.json(health.check()));
        routes.get("/ready", ctx -> {
            Health.Report report = health.check();
            ctx.status(report.ready() ? 200 : 503).json(report);
        });
        routes.get("/metrics", ctx -> ctx.result(registry.scrape()).contentType("text/plain; version=0.0.4"));
    }
}
