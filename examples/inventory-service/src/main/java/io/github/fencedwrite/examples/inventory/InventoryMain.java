package io.github.fencedwrite.examples.inventory;

import io.github.fencedwrite.examples.inventory.page.Page;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the service as {@link Configuration} says, and ends it gracefully with the process. */
public final class InventoryMain {

    private static final Logger log = LoggerFactory.getLogger(InventoryMain.class);

    private InventoryMain() {}

    /** Serves until the process gets a SIGTERM or SIGINT. */
    public static void main(String[] args) {
        try {
            start(Configuration.from(System.getenv()));
        } catch (IllegalArgumentException e) {
            log.error("The configuration cannot be used: {}", e.getMessage());
            System.exit(2);
        }
    }

    private static void start(Configuration configuration) {
        if (configuration.database() == null) {
            Page page = Page.start(configuration);
            atExit(page::close);
            log.info("The inventory service, and a page to watch it, are on http://localhost:{}", page.port());
        } else {
            InventoryApplication application = InventoryApplication.start(configuration, (stock, quantity) -> true);
            atExit(application::close);
            log.info("The inventory service listens on port {}", application.port());
        }
    }

    private static void atExit(Runnable work) {
        Runtime.getRuntime().addShutdownHook(new Thread(work, "end-inventory"));
    }
}
