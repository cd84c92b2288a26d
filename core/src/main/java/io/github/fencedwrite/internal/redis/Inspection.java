package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.protocol.OwnerId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * What a closer look at a node shows. The look includes a canary: a whole life of a lock, with every script once, under a
 * name that nobody else uses.
 *
 * @param settings fields of INFO memory and persistence
 * @param fsync setting {@code appendfsync}, null if the user may not read it
 * @param refused what the node refused to do, by what it was
 * @param roundTripNanos how long one script took
 */
public record Inspection(
        Map<String, String> settings, @Nullable String fsync, Map<String, NodeFailure> refused, long roundTripNanos) {

    private static final long TTL = 5_000;

    /**
     * Looks.
     *
     * @throws RuntimeException if the connection breaks
     */
    static Inspection of(Node node, String prefix) {
        ResourceKeys keys = new ResourceKeys(prefix, "preflight-" + UUID.randomUUID());
        OwnerId owner = new OwnerId(UUID.randomUUID().toString().replace("-", ""));
        ServerInfo server = node.server();
        byte[] runId = (server == null ? "" : server.runId()).getBytes(US_ASCII);
        Map<String, NodeFailure> refused = new LinkedHashMap<>();
        Map<String, String> settings = ServerInfo.fields(ask(node, "INFO", refused, info("memory")));
        settings.putAll(ServerInfo.fields(ask(node, "INFO", refused, info("persistence"))));
        long begun = System.nanoTime();
        for (Command command : List.of(
                new Command.Acquire(owner, TTL, 1),
                new Command.Raise(owner, 2),
                new Command.Lift(3),
                new Command.TopUp(owner, TTL, 3),
                new Command.Extend(owner, TTL, 1),
                new Command.Release(owner))) {
            tryOut(
                    node,
                    command.getClass().getSimpleName(),
                    refused,
                    node.encoding().encode(command, keys, runId, false));
        }
        long roundTrip = (System.nanoTime() - begun) / Script.values().length;
        tryOut(
                node,
                "PUBLISH",
                refused,
                new CommandArguments(Protocol.Command.PUBLISH)
                        .add(keys.channel())
                        .add("1"));
        tryOut(
                node,
                "DEL",
                refused,
                new CommandArguments(Protocol.Command.DEL).add(keys.token()).add(keys.run()));
        return new Inspection(settings, fsync(node), refused, roundTrip);
    }

    private static void tryOut(Node node, String what, Map<String, NodeFailure> refused, CommandArguments command) {
        var unused = ask(node, what, refused, command);
    }

    private static CommandArguments info(String section) {
        return new CommandArguments(Protocol.Command.INFO).add(section);
    }

    private static @Nullable String fsync(Node node) {
        CommandArguments question = new CommandArguments(Protocol.Command.CONFIG)
                .add(Protocol.Keyword.GET)
                .add("appendfsync");
        // few users may read the configuration, and nobody has to
        Object reply = ask(node, "CONFIG", new LinkedHashMap<>(), question);
        List<String> parts = new ArrayList<>();
        if (reply instanceof List<?> list) {
            list.forEach(part -> parts.add(part instanceof byte[] text ? new String(text, UTF_8) : ""));
        }
        return parts.size() == 2 ? parts.get(1) : null;
    }

    private static @Nullable Object ask(
            Node node, String what, Map<String, NodeFailure> refused, CommandArguments question) {
        Object reply = node.ask(question);
        if (reply instanceof JedisDataException error) {
            refused.put(what, Replies.failure(error));
            return null;
        }
        return reply;
    }
}
