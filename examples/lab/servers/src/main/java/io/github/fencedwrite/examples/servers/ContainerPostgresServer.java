package io.github.fencedwrite.examples.servers;

import java.util.ArrayList;
import java.util.List;

/** PostgreSQL in a container, with its files inside of the container. */
final class ContainerPostgresServer implements PostgresServer {

    private static final int INNER_PORT = 5432;

    private final ServerContainer container;

    private ContainerPostgresServer(List<String> settings) {
        List<String> command = new ArrayList<>(List.of("postgres"));
        command.addAll(PostgresLogin.options(settings));
        container = new ServerContainer(
                DockerEngine.postgresImage(),
                INNER_PORT,
                create -> create.withCmd(command)
                        .withEnv("POSTGRES_USER=" + PostgresLogin.USER, "POSTGRES_PASSWORD=" + PostgresLogin.PASSWORD));
    }

    static ContainerPostgresServer start(List<String> settings) {
        ContainerPostgresServer server = new ContainerPostgresServer(settings);
        try {
            server.container.start();
            server.awaitStart();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    @Override
    public ServerKind kind() {
        return ServerKind.CONTAINERS;
    }

    @Override
    public synchronized String url(String database) {
        return PostgresLogin.url(container.host(), container.port(), database);
    }

    @Override
    public synchronized void kill() {
        container.kill();
    }

    @Override
    public synchronized void restart() {
        container.kill();
        container.startAgain();
        awaitStart();
    }

    @Override
    public synchronized boolean isRunning() {
        return container.isRunning();
    }

    @Override
    public synchronized void close() {
        container.close();
    }

    private void awaitStart() {
        boolean[] ended = new boolean[1];
        boolean answers = Readiness.await(
                () -> {
                    ended[0] = !container.isRunning();
                    return ended[0] || PostgresLogin.answers(url(administration()));
                },
                Readiness.LIMIT);
        if (ended[0] || !answers) {
            throw new ServersException("PostgreSQL did not start in its container. It said:\n"
                    + container.lastLogLines().indent(2));
        }
    }
}
