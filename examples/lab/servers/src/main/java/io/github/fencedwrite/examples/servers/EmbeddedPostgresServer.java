package io.github.fencedwrite.examples.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** PostgreSQL as a process of this machine, on loopback, with its files in a directory of its own. */
final class EmbeddedPostgresServer implements PostgresServer {

    private static final String HOST = "127.0.0.1";
    private static final int PORTS_TO_TRY = 10;
    private static final Duration INITDB_LIMIT = Duration.ofMinutes(2);

    private final PostgresBinaries binaries;
    private final Path directory;
    private final List<String> settings;
    private int port;
    private int starts;
    private @Nullable ServerProcess process;

    private EmbeddedPostgresServer(PostgresBinaries binaries, Path directory, List<String> settings) {
        this.binaries = binaries;
        this.directory = directory;
        this.settings = settings;
        this.port = Ports.take();
    }

    static EmbeddedPostgresServer start(List<String> settings) {
        PostgresBinaries binaries = PostgresBinaries.unpacked();
        Path directory = Workspace.instance().newDirectory("postgres");
        EmbeddedPostgresServer server = new EmbeddedPostgresServer(binaries, directory, settings);
        try {
            server.initialise();
            server.firstStart();
            return server;
        } catch (IOException e) {
            server.close();
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    @Override
    public ServerKind kind() {
        return ServerKind.EMBEDDED;
    }

    @Override
    public synchronized String url(String database) {
        return PostgresLogin.url(HOST, port, database);
    }

    @Override
    public synchronized void kill() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }

    @Override
    public synchronized void restart() {
        kill();
        long deadline = System.nanoTime() + Readiness.LIMIT.toNanos();
        launch();
        // the shared memory of the killed server, or a passing user of its port, may be in the way for a moment
        while (!answers()) {
            if (isRunning() || System.nanoTime() - deadline > 0) {
                throw notUp();
            }
            launch();
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    @Override
    public synchronized void close() {
        kill();
        Ports.giveBack(port);
        Workspace.delete(directory);
    }

    private void initialise() throws IOException {
        OtherUser.handOver(directory);
        Path password = directory.resolve("password");
        Files.writeString(password, PostgresLogin.PASSWORD);
        OtherUser.handOver(password);
        ServerProcess initdb = ServerProcess.start(
                binaries.command(
                        "initdb",
                        "-D",
                        data(),
                        "-U",
                        PostgresLogin.USER,
                        "--pwfile=" + password,
                        "-A",
                        "scram-sha-256",
                        "-E",
                        "UTF8",
                        "--locale=C",
                        "--no-sync"),
                Map.of(),
                directory,
                directory.resolve("log-initdb"));
        boolean ended = Readiness.await(() -> !initdb.isAlive(), INITDB_LIMIT);
        initdb.kill();
        if (!ended || !Files.exists(directory.resolve("data").resolve("PG_VERSION"))) {
            throw new ServersException("PostgreSQL's initdb failed:\n" + initdb.lastLogLines());
        }
    }

    private void firstStart() {
        launch();
        for (int i = 1; !answers(); i++) {
            if (i == PORTS_TO_TRY || !current().log().contains("Address already in use")) {
                throw notUp();
            }
            Ports.giveBack(port);
            port = Ports.take();
            launch();
        }
    }

    private void launch() {
        List<String> arguments = new ArrayList<>(List.of("-D", data(), "-p", Integer.toString(port)));
        List<String> own = new ArrayList<>(List.of("listen_addresses=" + HOST, "unix_socket_directories="));
        own.addAll(settings);
        arguments.addAll(PostgresLogin.options(own));
        try {
            process = ServerProcess.start(
                    binaries.command("postgres", arguments.toArray(String[]::new)),
                    Map.of(),
                    directory,
                    directory.resolve("log-" + ++starts));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean answers() {
        ServerProcess started = current();
        Readiness.await(() -> !started.isAlive() || isReady(started), Readiness.LIMIT);
        return started.isAlive() && isReady(started);
    }

    private boolean isReady(ServerProcess started) {
        // its own words first: on a port that was taken it would be another server that answers
        return started.log().contains("ready to accept connections") && PostgresLogin.answers(url(administration()));
    }

    private ServersException notUp() {
        String log = current().lastLogLines();
        kill();
        return new ServersException("PostgreSQL did not start. Another server can be given with -D"
                + Servers.POSTGRES_URL + ". It said:\n" + log.indent(2));
    }

    private ServerProcess current() {
        if (process == null) {
            throw new ServersException("PostgreSQL on port " + port + " does not run");
        }
        return process;
    }

    private String data() {
        return directory.resolve("data").toString();
    }
}
