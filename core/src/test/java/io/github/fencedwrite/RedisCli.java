package io.github.fencedwrite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.examples.servers.RedisNode;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;

/** Runs command lines for redis-cli: by that program where it is installed, else word for word over a connection. */
final class RedisCli {

    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    private RedisCli() {}

    /** Runs {@code lines}, each of the form {@code redis-cli -h <host> <command>}, on {@code node}; answers what each says. */
    static List<String> run(RedisNode node, List<String> lines) {
        assertThat(lines).isNotEmpty();
        return lines.stream().map(line -> answer(node, words(line))).toList();
    }

    private static String answer(RedisNode node, List<String> words) {
        assertThat(words.subList(0, 2)).containsExactly("redis-cli", "-h");
        List<String> command = words.subList(3, words.size());
        return program().map(path -> byProgram(path, node, command)).orElseGet(() -> byConnection(node, command));
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find()) {
            words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        return words;
    }

    private static Optional<String> program() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(directory -> new File(directory, "redis-cli"))
                .filter(File::canExecute)
                .map(File::getPath)
                .findFirst();
    }

    private static String byProgram(String path, RedisNode node, List<String> command) {
        List<String> all = new ArrayList<>(List.of(path, "-h", node.host(), "-p", String.valueOf(node.port())));
        all.addAll(command);
        try {
            Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
            process.getOutputStream().close();
            return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String byConnection(RedisNode node, List<String> command) {
        try (Connection connection = new Connection(new HostAndPort(node.host(), node.port()))) {
            connection.sendCommand(
                    Protocol.Command.valueOf(command.get(0)),
                    command.subList(1, command.size()).toArray(new String[0]));
            Object reply = connection.getOne();
            return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(reply);
        }
    }
}
