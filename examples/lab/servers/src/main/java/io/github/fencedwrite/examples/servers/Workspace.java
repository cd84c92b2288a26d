package io.github.fencedwrite.examples.servers;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The temporary directory of this JVM and the care that no server and no file outlives it. A shutdown hook ends servers
 * and deletes the directory; where the JVM is killed, a small shell process notices the end of its standard input and
 * does the same.
 */
final class Workspace {

    /** Reads "start pid" and "end pid"; at the end of its input it kills what has not ended and removes the directory $1. */
    private static final String WATCHER = """
            trap '' HUP INT TERM
            running=' '
            while read -r what pid; do
              case $what in
                start) running="$running$pid " ;;
                end) running="${running%% $pid *} ${running#* $pid }" ;;
              esac
            done
            for pid in $running; do kill -KILL "$pid" 2>/dev/null; done
            [ -d "$1" ] || exit 0
            rm -rf -- "$1" 2>/dev/null || { sleep 2; rm -rf -- "$1"; }
            """;

    private static @Nullable Workspace instance;

    private final Path directory;
    private final OutputStream watcher;
    private final Map<Object, Runnable> running = new ConcurrentHashMap<>();

    private Workspace() throws IOException {
        directory = Files.createTempDirectory("fenced-write-");
        Process process = new ProcessBuilder("sh", "-c", WATCHER, "fenced-write-watcher", directory.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        watcher = process.getOutputStream();
        Runtime.getRuntime().addShutdownHook(new Thread(this::endAll, "fenced-write-servers-end"));
    }

    static synchronized Workspace instance() {
        if (instance == null) {
            try {
                instance = new Workspace();
            } catch (IOException e) {
                throw new ServersException("No temporary directory for servers: " + e.getMessage(), e);
            }
        }
        return instance;
    }

    Path directory() {
        return directory;
    }

    Path newDirectory(String prefix) {
        try {
            return Files.createTempDirectory(directory, prefix + "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Remembers how to end a server that must not outlive this JVM. */
    void register(Object server, Runnable end) {
        running.put(server, end);
    }

    void unregister(Object server) {
        running.remove(server);
    }

    /** Has a process killed even where this JVM is killed itself. Containers are left to Testcontainers then. */
    void watch(long pid) {
        tellWatcher("start " + pid);
    }

    void unwatch(long pid) {
        tellWatcher("end " + pid);
    }

    private synchronized void tellWatcher(String line) {
        try {
            watcher.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            watcher.flush();
        } catch (IOException watcherIsGone) {
            // somebody killed it; the shutdown hook is still there
        }
    }

    private void endAll() {
        for (Runnable end : running.values()) {
            try {
                end.run();
            } catch (RuntimeException leftToOthers) {
                // an engine that is gone, for example; the other servers must still be ended
            }
        }
        delete(directory);
    }

    static void delete(Path tree) {
        try {
            Files.walkFileTree(tree, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failure) throws IOException {
                    Files.deleteIfExists(dir);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (NoSuchFileException gone) {
            // what was wanted
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot delete " + tree, e);
        }
    }

    static void copy(Path from, Path to) {
        try {
            Files.walkFileTree(from, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) throws IOException {
                    Files.createDirectories(to.resolve(from.relativize(dir)));
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.copy(file, to.resolve(from.relativize(file)));
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot copy " + from, e);
        }
    }
}
