package io.github.fencedwrite.examples.servers;

import java.util.List;

/** The settings that every node starts with, wherever it runs; those of the caller come behind and win. */
final class RedisSettings {

    private RedisSettings() {}

    /**
     * Each command is written to the append-only file before it is answered, but not forced to the disk: a killed process
     * loses nothing, and no test pays for power failures that do not happen. No RDB file is written unless asked for.
     */
    static List<String> common(int port, String directory) {
        return List.of(
                "--port", Integer.toString(port),
                "--dir", directory,
                "--daemonize", "no",
                "--save", "",
                "--appendonly", "yes",
                "--appendfsync", "no",
                "--auto-aof-rewrite-percentage", "0");
    }
}
