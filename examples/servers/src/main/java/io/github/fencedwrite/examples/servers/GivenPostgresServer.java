package io.github.fencedwrite.examples.servers;

import org.postgresql.ds.PGSimpleDataSource;

/** The PostgreSQL server that the user named; databases are created on it, nothing else is touched. */
record GivenPostgresServer(String url, String user, String password) implements PostgresServer {

    static GivenPostgresServer fromProperties() {
        GivenPostgresServer given = new GivenPostgresServer(
                required(Servers.POSTGRES_URL),
                required(Servers.POSTGRES_USER),
                Servers.property(Servers.POSTGRES_PASSWORD).orElse(""));
        given.administration();
        return given;
    }

    private static String required(String name) {
        return Servers.property(name)
                .orElseThrow(() -> new ServersException("-D" + name + " is missing: -D" + Servers.POSTGRES_URL + ", -D"
                        + Servers.POSTGRES_USER + " and -D" + Servers.POSTGRES_PASSWORD + " belong together"));
    }

    @Override
    public ServerKind kind() {
        return ServerKind.GIVEN;
    }

    @Override
    public PGSimpleDataSource administration() {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        try {
            dataSource.setUrl(url);
        } catch (IllegalArgumentException e) {
            throw new ServersException(
                    "-D" + Servers.POSTGRES_URL + "=" + url + " is no URL of PostgreSQL: write"
                            + " jdbc:postgresql://host:port/database",
                    e);
        }
        dataSource.setUser(user);
        dataSource.setPassword(password);
        return dataSource;
    }

    @Override
    public void kill() {
        throw new IllegalStateException();
    }

    @Override
    public void restart() {
        throw new IllegalStateException();
    }

    @Override
    public boolean isRunning() {
        return true;
    }

    @Override
    public void close() {
        // not ours
    }

    @Override
    public String toString() {
        return url;
    }
}
