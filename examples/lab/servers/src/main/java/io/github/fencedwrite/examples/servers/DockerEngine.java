package io.github.fencedwrite.examples.servers;

import com.github.dockerjava.api.DockerClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;

/**
 * Says whether containers can be started here: an engine answers and the images are there or can be pulled. Where no
 * engine is, the answer takes milliseconds and nothing is logged, since Testcontainers is not asked.
 */
final class DockerEngine {

    static final String REDIS = "redis:7.0-bookworm";
    static final String POSTGRES = "postgres:15-bookworm";

    private static final Duration PING = Duration.ofSeconds(3);
    private static final Duration PULL = Duration.ofMinutes(5);

    /** What the pinned version of Testcontainers starts to clean up behind a JVM that was killed. */
    static final String RYUK_IMAGE = "testcontainers/ryuk:0.14.0";

    private static Optional<String> obstacle = Optional.empty();
    private static boolean isLookedUp;

    private DockerEngine() {}

    static String redisImage() {
        return Servers.property(Servers.REDIS_IMAGE).orElse(REDIS);
    }

    static String postgresImage() {
        return Servers.property(Servers.POSTGRES_IMAGE).orElse(POSTGRES);
    }

    static DockerClient client() {
        return DockerClientFactory.instance().client();
    }

    /** Tells whether the user has switched off that Testcontainers cleans up behind a killed JVM. */
    static boolean isRyukDisabled() {
        return Boolean.parseBoolean(System.getenv("TESTCONTAINERS_RYUK_DISABLED"));
    }

    /** Returns why no containers can be started, or nothing if they can. Looked up once per JVM. */
    static synchronized Optional<String> obstacle() {
        if (!isLookedUp) {
            obstacle = find();
            isLookedUp = true;
        }
        return obstacle;
    }

    private static Optional<String> find() {
        List<URI> candidates = candidates();
        Optional<URI> engine = candidates.stream()
                .filter(host -> new DockerApi(host).answers(PING))
                .findFirst();
        if (engine.isEmpty()) {
            return Optional.of(
                    candidates.isEmpty()
                            ? "no Docker engine is there (no DOCKER_HOST, no socket)"
                            : "no Docker engine answers at " + candidates);
        }
        DockerApi api = new DockerApi(engine.get());
        // also Testcontainers' own image, which it would try to pull for minutes and with many words
        Stream<String> images = isRyukDisabled()
                ? Stream.of(redisImage(), postgresImage())
                : Stream.of(redisImage(), postgresImage(), RYUK_IMAGE);
        return images.flatMap(image -> missing(api, image).stream())
                .findFirst()
                .or(DockerEngine::refusalOfTestcontainers);
    }

    private static Optional<String> missing(DockerApi api, String image) {
        try {
            if (api.hasImage(image, PING)) {
                return Optional.empty();
            }
            Servers.say("servers: pulling " + image);
            String reason = api.pull(image, PULL);
            return api.hasImage(image, PING)
                    ? Optional.empty()
                    : Optional.of("the image " + image + " cannot be pulled: " + reason);
        } catch (IOException e) {
            return Optional.of("the image " + image + " cannot be pulled: " + e.getMessage());
        }
    }

    private static Optional<String> refusalOfTestcontainers() {
        try {
            client();
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of("Testcontainers cannot use the Docker engine: " + e.getMessage());
        }
    }

    /** The places where Testcontainers would look. */
    private static List<URI> candidates() {
        Optional<String> named =
                Optional.ofNullable(System.getenv("DOCKER_HOST")).filter(host -> !host.isBlank());
        Optional<URI> chosen =
                named.or(DockerEngine::fromTestcontainersProperties).map(URI::create);
        if (chosen.isPresent()) {
            return chosen.stream().filter(DockerEngine::canBeAsked).toList();
        }
        Path home = Path.of(System.getProperty("user.home"));
        Optional<Path> runtime =
                Optional.ofNullable(System.getenv("XDG_RUNTIME_DIR")).map(Path::of);
        return Stream.of(
                        Stream.of(Path.of("/var/run/docker.sock")),
                        runtime.map(dir -> dir.resolve("docker.sock")).stream(),
                        Stream.of(home.resolve(".docker/run/docker.sock"), home.resolve(".docker/desktop/docker.sock")))
                .flatMap(sockets -> sockets)
                .filter(Files::exists)
                .map(socket -> URI.create("unix://" + socket))
                .toList();
    }

    private static boolean canBeAsked(URI host) {
        return "unix".equals(host.getScheme()) || (host.getHost() != null && host.getPort() > 0);
    }

    private static Optional<String> fromTestcontainersProperties() {
        Path file = Path.of(System.getProperty("user.home"), ".testcontainers.properties");
        Properties properties = new Properties();
        try (InputStream stream = Files.newInputStream(file)) {
            properties.load(stream);
        } catch (IOException noFile) {
            return Optional.empty();
        }
        return Optional.ofNullable(properties.getProperty("docker.host")).filter(host -> !host.isBlank());
    }
}
