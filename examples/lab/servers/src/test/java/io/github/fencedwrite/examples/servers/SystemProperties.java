package io.github.fencedwrite.examples.servers;

import java.util.HashMap;
import java.util.Map;

/** Sets system properties and puts the old ones back when closed. */
final class SystemProperties implements AutoCloseable {

    private final Map<String, String> before = new HashMap<>();

    SystemProperties set(String name, String value) {
        if (!before.containsKey(name)) {
            before.put(name, System.getProperty(name));
        }
        System.setProperty(name, value);
        return this;
    }

    @Override
    public void close() {
        before.forEach((name, value) -> {
            if (value == null) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, value);
            }
        });
    }
}
