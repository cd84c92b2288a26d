package io.github.fencedwrite.examples.boot;

import org.springframework.boot.SpringApplication;
import org.springframework.core.env.MapPropertySource;

/** The service on servers that are started with it and end with the JVM, for trying it out. */
final class LocalProductApplication {

    private LocalProductApplication() {}

    /** Takes Boot's usual arguments. */
    @SuppressWarnings("resource") // in use until the JVM ends, which ends them
    public static void main(String[] args) {
        LocalServers servers = new LocalServers();
        SpringApplication application = new SpringApplication(ProductApplication.class);
        application.addInitializers(context -> context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("local servers", servers.properties())));
        application.run(args);
    }
}
