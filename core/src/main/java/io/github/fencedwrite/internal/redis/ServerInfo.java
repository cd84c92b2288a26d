package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.fencedwrite.NodeFailure.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * What a server says of itself when a connection is opened. A restart breaks every connection, so none of this can change
 * while the connection lives, apart from the role.
 *
 * @param runId differs after each restart
 * @param version as the server writes it
 * @param uptimeSeconds since the restart, by the server's wall clock, at the moment of opening
 * @param clockAheadMicros server's wall clock minus this client's, to within a round trip
 * @param roundTripNanos how long the server took for all of this
 * @param membership what it knew of the clients' configuration, null if nothing, or if it would not tell
 */
public record ServerInfo(
        String runId,
        String version,
        long uptimeSeconds,
        long clockAheadMicros,
        long roundTripNanos,
        @Nullable String membership) {

    private static final int OLDEST_MAJOR = 6;
    private static final int OLDEST_MINOR = 2;

    /** What to ask first, in this order, apart from the login. Loads the scripts on the way. */
    static List<CommandArguments> questions(NodeSettings settings) {
        List<CommandArguments> questions = new ArrayList<>();
        questions.add(new CommandArguments(Protocol.Command.INFO).add("server"));
        questions.add(new CommandArguments(Protocol.Command.INFO).add("replication"));
        questions.add(new CommandArguments(Protocol.Command.TIME));
        for (Script script : Script.values()) {
            questions.add(new CommandArguments(Protocol.Command.SCRIPT)
                    .add(Protocol.Keyword.LOAD)
                    .add(script.text()));
        }
        questions.add(settings.readMembership());
        return questions;
    }

    /**
     * Reads the answers.
     *
     * @throws UnsupportedServerException if it is a replica, a cluster node, a sentinel or too old
     * @throws JedisDataException if it refuses to answer
     */
    static ServerInfo of(List<@Nullable Object> answers, long roundTripNanos) {
        // who may not read the membership can still lock
        for (Object answer : answers.subList(0, answers.size() - 1)) {
            if (answer instanceof JedisDataException error) {
                throw error;
            }
        }
        Map<String, String> server = fields(answers.get(0));
        server.putAll(fields(answers.get(1)));
        refuseWhatIsNoNode(server);
        return new ServerInfo(
                server.getOrDefault("run_id", ""),
                server.getOrDefault("redis_version", ""),
                number(server.get("uptime_in_seconds")),
                micros(answers.get(2)) - Clocks.wallMicros() + roundTripNanos / 2_000,
                roundTripNanos,
                answers.get(answers.size() - 1) instanceof byte[] found ? new String(found, UTF_8) : null);
    }

    /** Reads a reply to TIME, in microseconds since 1970. */
    static long micros(@Nullable Object time) {
        if (time instanceof List<?> parts
                && parts.size() == 2
                && parts.get(0) instanceof byte[] seconds
                && parts.get(1) instanceof byte[] micros) {
            return number(new String(seconds, UTF_8)) * 1_000_000 + number(new String(micros, UTF_8));
        }
        throw new UnsupportedServerException(Reason.UNSUPPORTED, "TIME was answered in a way that Redis would not");
    }

    private static void refuseWhatIsNoNode(Map<String, String> server) {
        String mode = server.getOrDefault("redis_mode", server.getOrDefault("server_mode", "standalone"));
        if (!mode.equals("standalone")) {
            throw new UnsupportedServerException(
                    Reason.UNSUPPORTED, "the server runs in " + mode + " mode; a node is a single independent server");
        }
        String role = server.get("role");
        if (role == null) {
            throw new UnsupportedServerException(
                    Reason.UNSUPPORTED, "INFO does not tell the server's role, so it may be a replica");
        }
        if (!role.equals("master")) {
            throw new UnsupportedServerException(
                    Reason.READONLY,
                    "the server is a replica of " + server.get("master_host") + "; a node is a master");
        }
        String version = server.getOrDefault("redis_version", "");
        String[] parts = version.split("\\.", 3);
        long major = number(parts[0]);
        long minor = parts.length > 1 ? number(parts[1]) : 0;
        if (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR)) {
            throw new UnsupportedServerException(
                    Reason.UNSUPPORTED, "the server is Redis " + version + "; a node is 6.2 or later");
        }
        if (server.getOrDefault("run_id", "").isEmpty()) {
            throw new UnsupportedServerException(Reason.UNSUPPORTED, "INFO does not tell the server's run_id");
        }
    }

    static Map<String, String> fields(@Nullable Object reply) {
        Map<String, String> fields = new HashMap<>();
        if (reply instanceof byte[] text) {
            new String(text, UTF_8).lines().forEach(line -> {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    fields.put(line.substring(0, colon), line.substring(colon + 1));
                }
            });
        }
        return fields;
    }

    private static long number(@Nullable String text) {
        try {
            return text == null ? 0 : Long.parseLong(text.trim());
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
