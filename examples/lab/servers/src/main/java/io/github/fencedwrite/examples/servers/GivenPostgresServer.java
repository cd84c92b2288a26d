package io.github.fencedwrite.examples.servers;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The PostgreSQL server that the user named; databases are created on it, nothing else is touched.
 *
 * @param front the URL up to the name of the database
 * @param back the URL behind it
 */
record GivenPostgresServer(String front, String administration, String back, String user, String password)
        implements PostgresServer {

    private static final Pattern URL = Pattern.compile("(jdbc:postgresql:(?://[^/?]*/)?)([^/?]*)(\\?.*)?");

    static GivenPostgresServer fromProperties() {
        String url = required(Servers.POSTGRES_URL);
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new ServersException("-D" + Servers.POSTGRES_URL + "=" + url
                    + " is no URL of PostgreSQL: write jdbc:postgresql://host:port/database");
        }
        String user = required(Servers.POSTGRES_USER);
        return new GivenPostgresServer(
                parts.group(1),
                parts.group(2).isEmpty() ? user : parts.group(2),
                parts.group(3) == null ? "" : parts.group(3),
                user,
                Servers.property(Servers.POSTGRES_PASSWORD).orElse(""));
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
    public String url(String database) {
        return front + database + back;
    }

    @Override
    public void kill() {
        throw new UnsupportedOperationException("a given server is only ever shared");
    }

    @Override
    public void restart() {
        throw new UnsupportedOperationException("a given server is only ever shared");
    }

    @Override
    public boolean isRunning() {
        return true;
    }

    @Override
    public void close() {
        // not ours
    }

    /** Without the password. */
    @Override
    public String toString() {
        return url(administration);
    }
}
