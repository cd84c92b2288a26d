package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.fencedwrite.internal.protocol.Command;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;

/** Turns the protocol's commands into calls of {@link Script}. */
final class Encoding {

    private static final byte[] ONE = {'1'};
    private static final byte[] THREE = {'3'};
    private static final Map<Script, byte[]> SHAS = new EnumMap<>(Script.class);

    static {
        for (Script script : Script.values()) {
            SHAS.put(script, ascii(script.sha()));
        }
    }

    private final byte[] retention;

    Encoding(long retentionMillis) {
        this.retention = number(retentionMillis);
    }

    /** EVALSHA, or EVAL if {@code inFull}. */
    CommandArguments encode(Command command, ResourceKeys keys, byte[] runId, boolean inFull) {
        if (command instanceof Command.Acquire acquire) {
            return call(Script.ACQUIRE, keys, inFull)
                    .add(ascii(acquire.owner().text()))
                    .add(number(acquire.ttlMillis()))
                    .add(number(acquire.seed()))
                    .add(runId)
                    .add(retention);
        } else if (command instanceof Command.Raise raise) {
            return call(Script.RAISE, keys, inFull)
                    .add(ascii(raise.owner().text()))
                    .add(number(raise.token()))
                    .add(retention);
        } else if (command instanceof Command.Lift lift) {
            return call(Script.LIFT, keys, inFull).add(number(lift.token())).add(retention);
        } else if (command instanceof Command.TopUp topUp) {
            return call(Script.TOP_UP, keys, inFull)
                    .add(ascii(topUp.owner().text()))
                    .add(number(topUp.remainingMillis()))
                    .add(number(topUp.token()))
                    .add(retention);
        } else if (command instanceof Command.Extend extend) {
            return extensions(List.of(extend), List.of(keys), inFull);
        } else if (command instanceof Command.Release release) {
            return call(Script.RELEASE, keys, inFull)
                    .add(ascii(release.owner().text()))
                    .add(keys.channel());
        }
        throw new IllegalStateException("No script for " + command);
    }

    /** One call for many leases; the lists are parallel. */
    CommandArguments extensions(List<Command.Extend> extensions, List<ResourceKeys> keys, boolean inFull) {
        CommandArguments call = begin(Script.EXTEND, inFull).add(number(extensions.size()));
        keys.forEach(each -> call.add(each.lock()));
        extensions.forEach(each -> call.add(ascii(each.owner().text())).add(number(each.ttlMillis())));
        return call;
    }

    private static CommandArguments begin(Script script, boolean inFull) {
        return new CommandArguments(inFull ? Protocol.Command.EVAL : Protocol.Command.EVALSHA)
                .add(inFull ? ascii(script.text()) : SHAS.get(script));
    }

    private static CommandArguments call(Script script, ResourceKeys keys, boolean inFull) {
        CommandArguments call = begin(script, inFull);
        return script.touchesCounter()
                ? call.add(THREE).add(keys.lock()).add(keys.token()).add(keys.run())
                : call.add(ONE).add(keys.lock());
    }

    private static byte[] number(long value) {
        return ascii(Long.toString(value));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }
}
