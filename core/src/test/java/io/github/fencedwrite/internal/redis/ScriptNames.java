package io.github.fencedwrite.internal.redis;

import java.util.Arrays;
import java.util.List;

/** Tells tests which script a call on the wire is. */
public final class ScriptNames {

    private ScriptNames() {}

    public static List<String> all() {
        return Arrays.stream(Script.values()).map(Script::name).toList();
    }

    /** Whether the command is a call of that script, by its digest or in full. */
    public static boolean isCallOf(String script, List<String> command) {
        Script wanted = Script.valueOf(script);
        return command.size() > 1
                && (command.get(0).equals("EVALSHA") || command.get(0).equals("EVAL"))
                && (command.get(1).equals(wanted.sha()) || command.get(1).equals(wanted.text()));
    }

    /** The owner in a call of a script that takes one: the first argument behind the keys. */
    public static String ownerIn(List<String> command) {
        int keys = Integer.parseInt(command.get(2));
        return command.get(3 + keys);
    }
}
