package io.github.fencedwrite.examples.boot;

import org.springframework.boot.SpringApplication;

/** The service on servers that are started with it and end with the JVM, for trying it out. */
final class LocalProductApplication {

    private LocalProductApplication() {}

    /** Takes no arguments. */
    @SuppressWarnings("resource") // in use until the JVM ends, which ends them
    public static void main(String[] args) {
        LocalServers servers = new LocalServers();
        SpringApplication.run(ProductApplication.class, servers.arguments());
    }
}
