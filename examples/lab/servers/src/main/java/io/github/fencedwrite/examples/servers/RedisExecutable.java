package io.github.fencedwrite.examples.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

/** The redis-server program: the one the user names, else the binary from the Maven artifact, unpacked once per JVM. */
final class RedisExecutable {

    private static @Nullable Path unpacked;

    private RedisExecutable() {}

    static Path path() {
        Optional<String> chosen = Servers.property(Servers.REDIS_SERVER);
        return chosen.map(RedisExecutable::chosen).orElseGet(RedisExecutable::unpack);
    }

    private static Path chosen(String name) {
        Path path = Path.of(name);
        if (!Files.isExecutable(path)) {
            throw new ServersException("-D" + Servers.REDIS_SERVER + "=" + name + " is no executable file");
        }
        return path.toAbsolutePath();
    }

    private static synchronized Path unpack() {
        if (System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows")) {
            throw new ServersException("Embedded Redis runs on Linux and macOS only: use -Dservers=containers or -D"
                    + Servers.REDIS_NODES + "=redis://host:port");
        }
        if (unpacked == null) {
            Path directory = Workspace.instance().newDirectory("redis-binary");
            try {
                unpacked = ExecutableProvider.newJarResourceProvider(directory.toFile())
                        .get()
                        .toPath();
            } catch (IOException | RuntimeException e) {
                throw new ServersException(explain("no binary for this machine: " + e.getMessage()), e);
            }
        }
        return unpacked;
    }

    /** Turns what the server said when it did not come up into what the user can do. */
    static String explain(String output) {
        String seen = "\nIt said:\n" + output.strip().indent(2);
        if (output.contains("libssl") || output.contains("libcrypto")) {
            return "Redis did not start: the embedded binary needs OpenSSL 3 (libssl.so.3). Install it (Debian, Ubuntu:"
                    + " apt-get install libssl3; Fedora: dnf install openssl-libs; macOS: brew install openssl@3), or set"
                    + " -D" + Servers.REDIS_SERVER
                    + "=/path/to/redis-server (6.2 or later), -Dservers=containers, or -D"
                    + Servers.REDIS_NODES + "=redis://host:port,…" + seen;
        }
        return "Redis did not start. Another program can be set with -D"
                + Servers.REDIS_SERVER
                + "=/path/to/redis-server, other kinds of servers with -Dservers=containers or -D"
                + Servers.REDIS_NODES + "=redis://host:port,…" + seen;
    }
}
