package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one resource on a node. The prefix holds no colon and each name ends in its kind, so two pairs of prefix and
 * resource never share a key, whatever characters the resource has. The format is a wire format: clients of different
 * versions meet in it.
 */
public final class ResourceKeys {

    private static final String SUFFIX = ":free";

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
        this.channel = channelOf(prefix, resource);
    }

    private ResourceKeys(ResourceKeys loud) {
        this.lock = loud.lock;
        this.token = loud.token;
        this.run = loud.run;
        this.channel = new byte[0];
    }

    /** The same keys, without announcing a release. */
    public ResourceKeys silent() {
        return new ResourceKeys(this);
    }

    /** Where a release of {@code resource} is announced. */
    public static byte[] channelOf(String prefix, String resource) {
        return (prefix + ":" + resource + SUFFIX).getBytes(UTF_8);
    }

    /** The resource that a channel of {@link #channelOf} is about. */
    public static String resourceOf(String prefix, byte[] channel) {
        String text = new String(channel, UTF_8);
        return text.substring(prefix.length() + 1, text.length() - SUFFIX.length());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ResourceKeys keys && Arrays.equals(lock, keys.lock);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(lock);
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

    /** Where a release is announced, empty if it is not. */
    byte[] channel() {
        return channel;
    }
}
