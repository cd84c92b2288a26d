package io.github.fencedwrite.examples.servers;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Chooses where servers come from.
 *
 * <ol>
 *   <li>Addresses given by the user: {@code -Dredis.nodes=redis://a:6379,redis://b:6379} and
 *       {@code -Dpostgres.url=jdbc:postgresql://host/db -Dpostgres.user=… -Dpostgres.password=…}.
 *   <li>Otherwise {@code -Dservers=containers} or {@code -Dservers=embedded}.
 *   <li>Otherwise, or with {@code -Dservers=auto}: containers if a Docker engine answers and has the images or can pull
 *       them, else embedded. One line on standard output says so and why.
 * </ol>
 *
 * <p>Further properties: {@code -Dredis.server=/usr/bin/redis-server} runs another program (6.2 or later) in place of the
 * embedded binary; {@code -Dredis.image} and {@code -Dpostgres.image} take other images than
 * {@value DockerEngine#REDIS} and {@value DockerEngine#POSTGRES}. Where Testcontainers' own image cannot be pulled,
 * the environment variable {@code TESTCONTAINERS_RYUK_DISABLED=true} does without; then containers of a JVM that was
 * killed are left behind. An engine that is reached over TLS is not recognised.
 *
 * <p>What auto finds is remembered for the life of the JVM. All methods are thread safe.
 */
public final class Servers {

    static final String MODE = "servers";
    static final String REDIS_NODES = "redis.nodes";
    static final String REDIS_SERVER = "redis.server";
    static final String REDIS_IMAGE = "redis.image";
    static final String POSTGRES_IMAGE = "postgres.image";
    static final String POSTGRES_URL = "postgres.url";
    static final String POSTGRES_USER = "postgres.user";
    static final String POSTGRES_PASSWORD = "postgres.password";

    private static @Nullable ServerKind automatic;

    private Servers() {}

    /**
     * Tells where Redis nodes come from in this JVM.
     *
     * @return the kind, never null
     * @throws ServersException if {@code -Dservers} has an unknown value, or asks for containers where no engine answers
     */
    public static ServerKind redis() {
        return property(REDIS_NODES).isPresent() ? ServerKind.GIVEN : started();
    }

    /**
     * Tells where PostgreSQL comes from in this JVM.
     *
     * @return the kind, never null
     * @throws ServersException if {@code -Dservers} has an unknown value, or asks for containers where no engine answers
     */
    public static ServerKind postgres() {
        return property(POSTGRES_URL).isPresent() ? ServerKind.GIVEN : started();
    }

    static Optional<String> property(String name) {
        return Optional.ofNullable(System.getProperty(name)).map(String::strip).filter(value -> !value.isEmpty());
    }

    static List<String> propertyList(String name) {
        return Arrays.stream(property(name).orElse("").split(","))
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .toList();
    }

    private static ServerKind started() {
        String mode = property(MODE).orElse("auto");
        return switch (mode.toLowerCase(Locale.ROOT)) {
            case "embedded" -> ServerKind.EMBEDDED;
            case "containers" -> containers();
            case "auto" -> automatic();
            default ->
                throw new ServersException("-Dservers=" + mode + " is unknown: use auto, containers or embedded");
        };
    }

    private static ServerKind containers() {
        Optional<String> obstacle = DockerEngine.obstacle();
        if (obstacle.isPresent()) {
            throw new ServersException("-Dservers=containers: " + obstacle.get()
                    + ". Start Docker, set DOCKER_HOST, or use -Dservers=embedded");
        }
        return ServerKind.CONTAINERS;
    }

    private static synchronized ServerKind automatic() {
        if (automatic == null) {
            Optional<String> obstacle = DockerEngine.obstacle();
            obstacle.ifPresent(why -> say("servers: embedded Redis and PostgreSQL, since " + why));
            automatic = obstacle.isPresent() ? ServerKind.EMBEDDED : ServerKind.CONTAINERS;
        }
        return automatic;
    }

    @SuppressWarnings("SystemOut") // a line for the person at the terminal, whatever logging is set up
    static void say(String line) {
        System.out.println(line);
    }
}
