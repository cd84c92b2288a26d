package io.github.fencedwrite.internal.redis;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a node is and how to log in, read from a URI {@code redis[s]://[user[:password]@]host[:port][/database]}.
 *
 * @param host name or literal address, IPv6 without brackets
 * @param port 1 to 65535
 * @param tls whether the connection is encrypted
 * @param user ACL user, null for the default user
 * @param password null for none
 * @param database number of the database
 */
public record NodeAddress(
        String host,
        int port,
        boolean tls,
        @Nullable String user,
        @Nullable String password,
        int database) {

    private static final int DEFAULT_PORT = 6379;
    private static final Pattern WITH_UNDERSCORE = Pattern.compile(
            "(?:(?<user>[^@]*)@)?(?<host>(?=[^:]*_)[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?)(?::(?<port>[0-9]{0,5}))?");
    private static final String FORM = "redis://[user:password@]host[:port][/database], or rediss:// for TLS";

    /**
     * Reads a URI.
     *
     * @throws IllegalArgumentException if it is not of the form above; the message does not repeat the password
     */
    public static NodeAddress parse(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            // neither the text nor the exception's own message may be shown: both carry the password
            throw new IllegalArgumentException("A node's address is not a URI (" + e.getReason() + " at index "
                    + e.getIndex() + "). Write " + FORM + ", with special characters of the password %-encoded.");
        }
        boolean tls = "rediss".equalsIgnoreCase(uri.getScheme());
        if (!tls && !"redis".equalsIgnoreCase(uri.getScheme())) {
            // without :// the scheme may be anything, even what is secret
            String found = text.contains("://") ? "starts with " + uri.getScheme() : "has no scheme";
            throw new IllegalArgumentException("A node's address " + found + ". Write " + FORM
                    + ". Unix sockets are not supported, since Jedis has none of its own.");
        }
        // names of containers and services may have underscores, which a host of a URI may not
        Matcher underscored = WITH_UNDERSCORE.matcher(uri.getHost() == null ? uri.getRawAuthority() + "" : "");
        boolean byHand = underscored.matches();
        if ((uri.getHost() == null && !byHand) || uri.getQuery() != null || uri.getFragment() != null) {
            throw new IllegalArgumentException(
                    "A node's address has no host that can be read, or has a query or fragment. Write " + FORM + ".");
        }
        String digits = byHand ? underscored.group("port") : null;
        int given = digits == null || digits.isEmpty() ? uri.getPort() : Integer.parseInt(digits);
        int port = given == -1 ? DEFAULT_PORT : given;
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("A node's port is 1 to 65535, but this one is not. Write " + FORM + ".");
        }
        String host = byHand ? underscored.group("host") : uri.getHost();
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        String userInfo = byHand ? underscored.group("user") : uri.getRawUserInfo();
        String user = null;
        String password = null;
        if (userInfo != null) {
            int colon = userInfo.indexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException("A node's address has a user without a password. Write " + FORM
                        + "; for a password of the default user, redis://:password@host.");
            }
            user = colon == 0 ? null : decoded(userInfo.substring(0, colon));
            password = decoded(userInfo.substring(colon + 1));
        }
        return new NodeAddress(host, port, tls, user, password, database(uri.getPath()));
    }

    /** Encrypted and in that database as well if {@code orTls} says so and this address says nothing of it. */
    public NodeAddress or(boolean orTls, int orDatabase) {
        return new NodeAddress(host, port, tls || orTls, user, password, database == 0 ? orDatabase : database);
    }

    private static String decoded(String partOfUserInfo) {
        return URI.create("//" + partOfUserInfo + "@host").getUserInfo();
    }

    private static int database(@Nullable String path) {
        if (path == null || path.isEmpty() || path.equals("/")) {
            return 0;
        }
        if (!path.matches("/\\d{1,5}")) {
            // not repeated: it is the rest of a password that has a slash
            throw new IllegalArgumentException("The path of a node's address is the number of a database, but this is "
                    + "something else. Write " + FORM + ", with special characters of the password %-encoded.");
        }
        return Integer.parseInt(path.substring(1));
    }

    /** Host, port and, unless it is 0, the database: how messages name the node. Never contains a password. */
    public String name() {
        String name = (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
        return database == 0 ? name : name + "/" + database;
    }

    /** As {@link #name()}, so that a password cannot get into a log by accident. */
    @Override
    public String toString() {
        return name();
    }
}
