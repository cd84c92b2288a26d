package io.github.fencedwrite.examples.inventory;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the environment says.
 *
 * @param host on which addresses HTTP is served, {@code HOST}; all, or only this machine's own with servers for a
 *     first look
 * @param port where HTTP is served, {@code PORT}; 8080, or 0 for any that is free
 * @param redisNodes {@code REDIS_NODES}, separated by commas; empty to start some for a first look
 * @param database {@code DATABASE_URL} (a JDBC URL), {@code DATABASE_USER} and {@code DATABASE_PASSWORD}; null likewise
 * @param leaseTtl {@code LEASE_TTL}, as ISO 8601 has it; 10 s
 * @param lockWait how long a request waits for another holder, {@code LOCK_WAIT}; 5 s
 * @param reservationLifetime how long a reservation waits to be confirmed, {@code RESERVATION_LIFETIME}; 15 minutes
 * @param shutdownTimeout how long requests may take to end at shutdown, {@code SHUTDOWN_TIMEOUT}; 20 s
 */
public record Configuration(
        String host,
        int port,
        List<String> redisNodes,
        @Nullable Database database,
        Duration leaseTtl,
        Duration lockWait,
        Duration reservationLifetime,
        Duration shutdownTimeout) {

    /** How to reach the database. */
    public record Database(String jdbcUrl, String user, String password) {

        @Override
        public String toString() {
            return jdbcUrl + " as " + user; // never the password
        }
    }

    /**
     * Reads the configuration.
     *
     * @param environment usually {@link System#getenv()}
     * @throws IllegalArgumentException if a value cannot be used; the message names the variable
     */
    public static Configuration from(Map<String, String> environment) {
        List<String> nodes = Arrays.stream(
                        value(environment, "REDIS_NODES").orElse("").split(","))
                .map(String::strip)
                .filter(node -> !node.isEmpty())
                .toList();
        Database database = value(environment, "DATABASE_URL")
                .map(url -> new Database(
                        url,
                        value(environment, "DATABASE_USER").orElse("inventory"),
                        value(environment, "DATABASE_PASSWORD").orElse("")))
                .orElse(null);
        if (nodes.isEmpty() != (database == null)) {
            throw new IllegalArgumentException(
                    "Set both REDIS_NODES and DATABASE_URL, or none of them to start servers "
                            + "for a first look; only one is set.");
        }
        return new Configuration(
                value(environment, "HOST").orElse(database == null ? "127.0.0.1" : "0.0.0.0"),
                port(value(environment, "PORT").orElse("8080")),
                nodes,
                database,
                duration(environment, "LEASE_TTL", Duration.ofSeconds(10)),
                duration(environment, "LOCK_WAIT", Duration.ofSeconds(5)),
                duration(environment, "RESERVATION_LIFETIME", Duration.ofMinutes(15)),
                duration(environment, "SHUTDOWN_TIMEOUT", Duration.ofSeconds(20)));
    }

    /** The same with servers. */
    public Configuration withServers(List<String> nodes, Database newDatabase) {
        return new Configuration(
                host, port, nodes, newDatabase, leaseTtl, lockWait, reservationLifetime, shutdownTimeout);
    }

    /** The same with another {@code leaseTtl}. */
    public Configuration withLeaseTtl(Duration ttl) {
        return new Configuration(host, port, redisNodes, database, ttl, lockWait, reservationLifetime, shutdownTimeout);
    }

    private static Optional<String> value(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).map(String::strip).filter(value -> !value.isEmpty());
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException ignored) {
            // told below
        }
        throw new IllegalArgumentException("PORT is 0 to 65535, not \"" + text + "\".");
    }

    private static Duration duration(Map<String, String> environment, String name, Duration otherwise) {
        String text = value(environment, name).orElse(otherwise.toString());
        try {
            Duration duration = Duration.parse(text);
            if (!duration.isNegative()) {
                return duration;
            }
        } catch (DateTimeParseException ignored) {
            // told below
        }
        throw new IllegalArgumentException(
                name + " is a duration as ISO 8601 has it, for example PT10S, not \"" + text + "\".");
    }
}
