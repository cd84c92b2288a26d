package io.github.fencedwrite.examples.boot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;

/** Starts the service. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class ProductApplication {

    /** Takes Boot's usual arguments. */
    public static void main(String[] args) {
        SpringApplication.run(ProductApplication.class, args);
    }

    /** Approves everything; an application asks somebody. */
    @Bean
    Approval approval() {
        return (product, quantity) -> true;
    }
}
