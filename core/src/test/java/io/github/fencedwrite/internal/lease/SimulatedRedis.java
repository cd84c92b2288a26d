package io.github.fencedwrite.internal.lease;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.protocol.ModelNode;
import io.github.fencedwrite.internal.protocol.OwnerId;
import io.github.fencedwrite.internal.protocol.TimedNode;
import io.github.fencedwrite.internal.redis.Script;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** A server that speaks the protocol of Redis as far as the client does, over {@link TimedNode}s, one for each resource. */
final class SimulatedRedis {

    final Map<String, TimedNode> resources = new TreeMap<>();
    private final Map<String, String> plain = new HashMap<>();
    private final LongSupplier millis;
    private int run = 1;
    boolean up = true;
    long frozenUntil;

    SimulatedRedis(LongSupplier millis) {
        this.millis = millis;
    }

    /** Comes back with all its data. */
    void restart() {
        run++;
        up = true;
        resources.values().forEach(node -> node.restartFrom(node.copy()));
    }

    /** The next whole command in {@code bytes}, or null. */
    static List<String> command(StringBuilder bytes) {
        int[] at = {0};
        List<String> words = new ArrayList<>();
        int count = number(bytes, at, '*');
        for (int i = 0; i < count; i++) {
            int size = number(bytes, at, '$');
            if (size < 0 || at[0] + size + 2 > bytes.length()) {
                return List.of();
            }
            words.add(bytes.substring(at[0], at[0] + size));
            at[0] += size + 2;
        }
        if (count > 0) {
            bytes.delete(0, at[0]);
        }
        return words;
    }

    private static int number(StringBuilder bytes, int[] at, char kind) {
        int end = bytes.indexOf("\r\n", at[0]);
        if (end < 0) {
            return -1;
        }
        if (bytes.charAt(at[0]) != kind) {
            throw new AssertionError("no command: " + bytes);
        }
        int number = Integer.parseInt(bytes.substring(at[0] + 1, end));
        at[0] = end + 2;
        return number;
    }

    String reply(List<String> words) {
        switch (words.get(0)) {
            case "HELLO" -> {
                return "%1\r\n+proto\r\n:3\r\n";
            }
            case "INFO" -> {
                return bulk(
                        words.get(1).equals("server")
                                ? "run_id:run-" + run + "\r\nredis_version:7.0.0\r\nuptime_in_seconds:1000000\r\n"
                                : "role:master\r\n");
            }
            case "TIME" -> {
                long now = millis.getAsLong();
                return "*2\r\n" + bulk(Long.toString(now / 1_000)) + bulk(Long.toString(now % 1_000 * 1_000));
            }
            case "SCRIPT" -> {
                return bulk("loaded");
            }
            case "GET" -> {
                String value = plain.get(words.get(1));
                return value == null ? "_\r\n" : bulk(value);
            }
            case "SET" -> {
                plain.putIfAbsent(words.get(1), words.get(2));
                return "+OK\r\n";
            }
            case "EVALSHA", "EVAL" -> {
                return script(words);
            }
            default -> throw new AssertionError("not simulated: " + words);
        }
    }

    private String script(List<String> words) {
        Script script = Arrays.stream(Script.values())
                .filter(each -> each.sha().equals(words.get(1)) || each.text().equals(words.get(1)))
                .findFirst()
                .orElseThrow();
        int keys = Integer.parseInt(words.get(2));
        List<String> names = words.subList(3, 3 + keys);
        List<String> arguments = words.subList(3 + keys, words.size());
        if (script == Script.EXTEND) {
            StringBuilder list = new StringBuilder("*" + keys + "\r\n");
            for (int i = 0; i < keys; i++) {
                Command extend = new Command.Extend(
                        new OwnerId(arguments.get(2 * i)), Long.parseLong(arguments.get(2 * i + 1)), 1);
                list.append(text(execute(names.get(i), extend)));
            }
            return list.toString();
        }
        return text(execute(names.get(0), command(script, arguments)));
    }

    private static Command command(Script script, List<String> arguments) {
        OwnerId owner = new OwnerId(arguments.get(0));
        return switch (script) {
            case ACQUIRE ->
                new Command.Acquire(owner, Long.parseLong(arguments.get(1)), Long.parseLong(arguments.get(2)));
            case RAISE -> new Command.Raise(owner, Long.parseLong(arguments.get(1)));
            case LIFT -> new Command.Lift(Long.parseLong(arguments.get(0)));
            case TOP_UP -> new Command.TopUp(owner, Long.parseLong(arguments.get(1)), Long.parseLong(arguments.get(2)));
            case RELEASE -> new Command.Release(owner);
            default -> throw new AssertionError(script);
        };
    }

    private Answer execute(String lockKey, Command command) {
        String resource = lockKey.substring(0, lockKey.length() - ":lock".length());
        return resources
                .computeIfAbsent(resource, name -> new TimedNode(ModelNode.Rule.RIGHT))
                .execute(command, millis.getAsLong(), 3_600_000);
    }

    private static String text(Answer answer) {
        if (answer instanceof Answer.Granted granted) {
            return ":" + granted.counter() + "\r\n";
        } else if (answer instanceof Answer.Busy busy) {
            return bulk(Long.toString(busy.remainingMillis()));
        } else if (answer instanceof Answer.Yes) {
            return ":1\r\n";
        } else if (answer instanceof Answer.No) {
            return ":0\r\n";
        }
        return "-FENCEDWRITE corrupt\r\n";
    }

    private static String bulk(String text) {
        return "$" + text.getBytes(ISO_8859_1).length + "\r\n" + text + "\r\n";
    }
}
