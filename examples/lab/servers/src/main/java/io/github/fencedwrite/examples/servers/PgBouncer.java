package io.github.fencedwrite.examples.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * PgBouncer in transaction mode in front of a database, on loopback, with two connections for all its clients: two
 * statements of one client may run in two sessions. The program is that of the machine. Thread safe.
 */
public final class PgBouncer implements AutoCloseable {

    private static final String HOST = "127.0.0.1";
    private static final int PORTS_TO_TRY = 10;

    private final PostgresDatabase database;
    private final Path directory;
    private final int port;
    private final ServerProcess process;

    private PgBouncer(Path program, PostgresDatabase database) throws IOException {
        this.database = database;
        this.port = Ports.take();
        this.directory = Workspace.instance().newDirectory("pgbouncer");
        OtherUser.handOver(directory);
        Path users = write("users.txt", "\"" + database.user() + "\" \"" + database.password() + "\"\n");
        PGSimpleDataSource server = database.dataSource();
        Path settings = write("pgbouncer.ini", """
                [databases]
                * = host=%s port=%d
                [pgbouncer]
                listen_addr = %s
                listen_port = %d
                unix_socket_dir =
                auth_type = trust
                auth_file = %s
                pool_mode = transaction
                default_pool_size = 2
                ignore_startup_parameters = extra_float_digits
                """.formatted(
                        server.getServerNames()[0], server.getPortNumbers()[0], HOST, port, users));
        this.process = ServerProcess.start(
                OtherUser.command(program, settings.toString()), Map.of(), directory, directory.resolve("log"));
    }

    private Path write(String name, String text) throws IOException {
        Path file = Files.writeString(directory.resolve(name), text);
        OtherUser.handOver(file);
        return file;
    }

    /**
     * Looks for the program on the path and where Debian puts it.
     *
     * @return the program, or empty if this machine has none
     */
    public static Optional<Path> program() {
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
        return Stream.concat(Arrays.stream(path.split(File.pathSeparator)), Stream.of("/usr/sbin"))
                .map(place -> Path.of(place, "pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts it.
     *
     * @param program as {@link #program()} finds it
     * @param database the only one that it lets clients reach
     * @return PgBouncer, to be closed by the caller
     * @throws ServersException if it does not come up
     */
    public static PgBouncer start(Path program, PostgresDatabase database) {
        String said = "";
        for (int i = 0; i < PORTS_TO_TRY; i++) {
            try {
                PgBouncer started = new PgBouncer(program, database);
                Readiness.await(() -> !started.process.isAlive() || started.answers(), Readiness.LIMIT);
                if (started.process.isAlive() && started.answers()) {
                    return started;
                }
                said = started.process.lastLogLines();
                started.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw new ServersException("PgBouncer did not start. It said:\n" + said.indent(2));
    }

    /**
     * Returns a data source that connects through PgBouncer, with {@code prepareThreshold=0}, since before version 1.21 it
     * knows nothing of statements that are prepared on the server.
     *
     * @return a new object, which the caller may configure further
     */
    public PGSimpleDataSource dataSource() {
        PGSimpleDataSource dataSource = database.dataSource();
        dataSource.setServerNames(new String[] {HOST});
        dataSource.setPortNumbers(new int[] {port});
        dataSource.setPrepareThreshold(0);
        return dataSource;
    }

    /** Ends it with all connections through it. Idempotent. */
    @Override
    public void close() {
        process.kill();
        Ports.giveBack(port);
        Workspace.delete(directory);
    }

    private boolean answers() {
        return PostgresLogin.answers(dataSource());
    }
}
