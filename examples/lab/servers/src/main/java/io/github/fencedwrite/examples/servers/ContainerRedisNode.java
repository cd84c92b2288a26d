package io.github.fencedwrite.examples.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A Redis server in a container, with its files inside of the container. */
final class ContainerRedisNode implements RedisNode {

    private static final int INNER_PORT = 6379;
    private static final String DATA = "/fenced-write-data";
    private static final Duration PING_TIMEOUT = Duration.ofSeconds(1);

    private final ServerContainer container;
    private byte @Nullable [] snapshot;

    ContainerRedisNode(List<String> settings, Map<String, String> environment) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "mkdir -p \"$0\" && exec \"$@\"", DATA));
        command.add("redis-server");
        command.addAll(RedisSettings.common(INNER_PORT, DATA));
        command.addAll(List.of("--bind", "0.0.0.0", "--protected-mode", "no"));
        command.addAll(settings);
        List<String> variables = environment.entrySet().stream()
                .map(variable -> variable.getKey() + "=" + variable.getValue())
                .toList();
        container = new ServerContainer(
                DockerEngine.redisImage(),
                INNER_PORT,
                create -> create.withEntrypoint(command).withCmd(List.of()).withEnv(variables));
    }

    synchronized void launch() {
        container.start();
    }

    synchronized void awaitStart() {
        boolean[] ended = new boolean[1];
        boolean answers = Readiness.await(
                () -> {
                    ended[0] = !container.isRunning();
                    return ended[0] || RedisPing.answers(container.host(), container.port(), PING_TIMEOUT);
                },
                Readiness.LIMIT);
        if (ended[0] || !answers) {
            throw new ServersException("Redis did not start in its container. It said:\n"
                    + container.lastLogLines().indent(2));
        }
    }

    @Override
    public String uri() {
        return "redis://" + host() + ":" + port();
    }

    @Override
    public String host() {
        return container.host();
    }

    @Override
    public synchronized int port() {
        return container.port();
    }

    @Override
    public synchronized void pause() {
        requireRunning();
        container.pause();
    }

    @Override
    public synchronized void resume() {
        requireRunning();
        container.resume();
    }

    @Override
    public synchronized void kill() {
        container.kill();
    }

    @Override
    public synchronized void saveSnapshot() {
        snapshot = container.read(DATA);
    }

    @Override
    public synchronized void restart(Data data) {
        if (data == Data.SNAPSHOT && snapshot == null) {
            throw new ServersException(uri() + " has no snapshot to come back with: call saveSnapshot() first");
        }
        container.kill();
        if (data != Data.KEPT) {
            container.recreate();
        }
        if (data == Data.SNAPSHOT && snapshot != null) {
            container.write(snapshot);
        }
        container.startAgain();
        awaitStart();
    }

    @Override
    public synchronized boolean isRunning() {
        return container.isRunning();
    }

    synchronized void close() {
        container.close();
    }

    private void requireRunning() {
        if (!container.isRunning()) {
            throw new ServersException(uri() + " does not run");
        }
    }

    @Override
    public String toString() {
        return uri();
    }
}
