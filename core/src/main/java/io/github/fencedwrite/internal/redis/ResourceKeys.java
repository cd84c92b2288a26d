package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The keys of one resource on a node. The prefix holds no colon and each name ends in its kind, so two pairs of prefix and
 * resource never share a key, whatever characters the resource has. The format is a wire format: clients of different
 * versions meet in it.
 */
public final class ResourceKeys {

    private final byte[] lock;
    private final byte[] token;
    private final byte[] run;
    private final byte[] channel;

    /** Names the keys of {@code resource}, both arguments checked before. */
    public ResourceKeys(String prefix, String resource) {
        String stem = prefix + ":" + resource;
        this.lock = (stem + ":lock").getBytes(UTF_8);
        this.token = (stem + ":token").getBytes(UTF_8);
        this.run = (stem + ":run").getBytes(UTF_8);
        this.channel = (stem + ":free").getBytes(UTF_8);
    }

    /** Owner id, with expiry. */
    byte[] lock() {
        return lock;
    }

    /** The counter. */
    byte[] token() {
        return token;
    }

    /** Run id of the server that last wrote the counter. */
    byte[] run() {
        return run;
    }

    /** Where a release is announced. */
    byte[] channel() {
        return channel;
    }
}
