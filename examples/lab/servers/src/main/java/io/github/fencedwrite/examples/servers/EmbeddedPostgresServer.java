package io.github.fencedwrite.examples.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** PostgreSQL as a process of this machine, on loopback, with its files in a directory of its own. */
final class EmbeddedPostgresServer implements PostgresServer {

    private static final String HOST = "127.0.0.1";
    private static final int PORTS_TO_TRY = 10;
    private static final Pattern READY = Pattern.compile("ready to accept (read-only )?connections");
    private static final Duration INITDB_LIMIT = Duration.ofMinutes(2);

    private final PostgresBinaries binaries = PostgresBinaries.unpacked();
    private final Path directory = Workspace.instance().newDirectory("postgres");
    private final List<String> settings;
    private int port = Ports.take();
    private int starts;
    private @Nullable ServerProcess process;

    private EmbeddedPostgresServer(List<String> settings) {
        this.settings = settings;
    }

    static EmbeddedPostgresServer start(List<String> settings) {
        EmbeddedPostgresServer server = initialised(settings);
        server.start();
        return server;
    }

    /** A server with files of its own that is not running yet; call {@link #start()} or {@link #close()}. */
    static EmbeddedPostgresServer initialised(List<String> settings) {
        EmbeddedPostgresServer server = new EmbeddedPostgresServer(settings);
        try {
            server.initialise();
            return server;
        } catch (IOException e) {
            server.close();
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** A standby on a copy of the files of this server, which must not have been started yet. */
    EmbeddedPostgresServer standby(List<String> standbySettings) {
        EmbeddedPostgresServer standby = new EmbeddedPostgresServer(standbySettings);
        try {
            Path data = Path.of(standby.data());
            Workspace.copy(Path.of(data()), data);
            // PostgreSQL refuses a directory that others may read
            Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
            Files.createFile(data.resolve("standby.signal"));
            OtherUser.handOverTree(standby.directory);
            return standby;
        } catch (IOException e) {
            standby.close();
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the server for the first time, on a port that is free then; closes it if it does not come up. */
    synchronized void start() {
        try {
            firstStart();
        } catch (RuntimeException e) {
            close();
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

    synchronized int port() {
        return port;
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
        return READY.matcher(started.log()).find() && PostgresLogin.answers(url(administration()));
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
