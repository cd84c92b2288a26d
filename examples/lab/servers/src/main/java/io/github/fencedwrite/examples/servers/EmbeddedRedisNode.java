package io.github.fencedwrite.examples.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A Redis server as a process of this machine, on loopback, with its files in a directory of its own. */
final class EmbeddedRedisNode implements RedisNode {

    private static final String HOST = "127.0.0.1";
    private static final Duration PING_TIMEOUT = Duration.ofSeconds(1);
    private static final int PORTS_TO_TRY = 10;

    private final Path directory;
    private final List<String> settings;
    private final Map<String, String> environment;
    private int port;
    private int starts;
    private @Nullable ServerProcess process;

    EmbeddedRedisNode(Path directory, List<String> settings, Map<String, String> environment) {
        this.directory = directory;
        this.settings = settings;
        this.environment = environment;
        this.port = Ports.take();
    }

    /** Starts the process without waiting for it. */
    synchronized void launch() {
        List<String> command = new ArrayList<>();
        command.add(RedisExecutable.path().toString());
        command.addAll(RedisSettings.common(port, data().toString()));
        command.addAll(List.of("--bind", HOST));
        command.addAll(settings);
        try {
            Files.createDirectories(data());
            process = ServerProcess.start(command, environment, data(), directory.resolve("log-" + ++starts));
        } catch (IOException e) {
            throw new ServersException(RedisExecutable.explain(e.getMessage() == null ? "" : e.getMessage()), e);
        }
    }

    /** Waits for the first start; takes another port if somebody was faster. */
    synchronized void awaitFirstStart() {
        for (int i = 1; !answers(); i++) {
            if (i == PORTS_TO_TRY || !isPortTaken()) {
                throw notUp();
            }
            Ports.giveBack(port);
            port = Ports.take();
            launch();
        }
    }

    @Override
    public String uri() {
        return "redis://" + HOST + ":" + port();
    }

    @Override
    public String host() {
        return HOST;
    }

    @Override
    public synchronized int port() {
        return port;
    }

    @Override
    public synchronized void pause() {
        current().pause();
    }

    @Override
    public synchronized void resume() {
        current().resume();
    }

    @Override
    public synchronized void kill() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }

    @Override
    public synchronized void saveSnapshot() {
        Workspace.delete(snapshot());
        Workspace.copy(data(), snapshot());
    }

    @Override
    public synchronized void restart(Data data) {
        if (data == Data.SNAPSHOT && !Files.isDirectory(snapshot())) {
            throw new ServersException(uri() + " has no snapshot to come back with: call saveSnapshot() first");
        }
        kill();
        if (data != Data.KEPT) {
            Workspace.delete(data());
        }
        if (data == Data.SNAPSHOT) {
            Workspace.copy(snapshot(), data());
        }
        long deadline = System.nanoTime() + Readiness.LIMIT.toNanos();
        launch();
        while (!answers()) {
            if (!isPortTaken() || System.nanoTime() - deadline > 0) {
                throw notUp();
            }
            launch();
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    synchronized void close() {
        kill();
        Ports.giveBack(port);
    }

    @Override
    public String toString() {
        return uri();
    }

    private boolean answers() {
        ServerProcess started = current();
        Readiness.await(() -> !started.isAlive() || isReady(started), Readiness.LIMIT);
        return started.isAlive() && isReady(started);
    }

    private boolean isReady(ServerProcess started) {
        // its own words first: on a port that was taken it would be another server that answers
        return started.log().contains("eady to accept connections") && RedisPing.answers(HOST, port, PING_TIMEOUT);
    }

    private boolean isPortTaken() {
        return current().log().contains("Address already in use");
    }

    private ServersException notUp() {
        String log = current().lastLogLines();
        kill();
        return new ServersException(RedisExecutable.explain(log));
    }

    private ServerProcess current() {
        if (process == null) {
            throw new ServersException(uri() + " does not run");
        }
        return process;
    }

    private Path data() {
        return directory.resolve("data");
    }

    private Path snapshot() {
        return directory.resolve("snapshot");
    }
}
