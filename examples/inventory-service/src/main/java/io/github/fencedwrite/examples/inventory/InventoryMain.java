package io.github.fencedwrite.examples.inventory;

import io.github.fencedwrite.examples.inventory.local.LocalServers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the service as {@link Configuration} says, and ends it gracefully with the process. */
public final class InventoryMain {

    private static final Logger log = LoggerFactory.getLogger(InventoryMain.class);

    private InventoryMain() {}

    /** Serves until the process gets a SIGTERM or SIGINT. */
    public static void main(String[] args) {
        Configuration configuration = Configuration.from(System.getenv());
        if (configuration.database() == null) {
            configuration = LocalServers.start().addTo(configuration); // they end with the process
        }
        InventoryApplication application = InventoryApplication.start(configuration, (stock, quantity) -> true);
        Runtime.getRuntime().addShutdownHook(new Thread(application::close, "end-inventory"));
        log.info("The inventory service listens on http://localhost:{}", application.port());
    }
}
