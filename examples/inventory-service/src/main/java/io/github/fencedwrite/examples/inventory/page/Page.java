package io.github.fencedwrite.examples.inventory.page;

import io.github.fencedwrite.examples.inventory.Configuration;
import io.github.fencedwrite.examples.inventory.InventoryApplication;
import io.github.fencedwrite.examples.inventory.local.LocalServers;
import io.github.fencedwrite.examples.inventory.story.StoryDatabase;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The service on servers of this machine, with the page on {@code /}. */
public final class Page implements AutoCloseable {

    /** Short enough to watch it run out. */
    private static final Duration LEASE_TTL = Duration.ofSeconds(4);

    private final LocalServers servers;
    private final InventoryApplication application;
    private final Playground playground;

    private Page(LocalServers servers, InventoryApplication application, Playground playground) {
        this.servers = servers;
        this.application = application;
        this.playground = playground;
    }

    /** Starts servers, service and workers. */
    public static Page start(Configuration given) {
        Configuration configuration = given.withLeaseTtl(LEASE_TTL);
        LocalServers servers = LocalServers.start();
        CompletableFuture<Playground> ready = new CompletableFuture<>();
        InventoryApplication application;
        try {
            application = InventoryApplication.start(
                    servers.addTo(configuration), (stock, quantity) -> true, new PageRoutes(ready)::addTo);
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
        try {
            StoryDatabase.migrate(servers.database().dataSource());
            Playground playground = new Playground(servers, configuration.leaseTtl());
            ready.complete(playground);
            return new Page(servers, application, playground);
        } catch (RuntimeException e) {
            application.close();
            servers.close();
            throw e;
        }
    }

    /** Where it is served. */
    public int port() {
        return application.port();
    }

    /** The servers, which may be broken. */
    public LocalServers servers() {
        return servers;
    }

    @Override
    public void close() {
        playground.close();
        application.close();
        servers.close();
    }
}
