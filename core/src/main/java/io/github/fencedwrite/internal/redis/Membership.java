package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.fencedwrite.SeedMode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What all clients of the same nodes have to agree on, or two of them could get disjoint majorities. The first client writes
 * it to the nodes, where it lives as long as a counter would.
 *
 * @param key where it stands; a key of a resource has a second colon, so none can meet this one
 * @param text readable, since people have to compare two of them
 */
public record Membership(String key, String text) {

    private static final int HASH_DIGITS = 16;

    /** Of this configuration. Addresses count as the operator names them; their order does not matter. */
    public static Membership of(String prefix, List<NodeAddress> nodes, long maxTtlMillis, SeedMode seeds) {
        String names =
                String.join(" ", nodes.stream().map(NodeAddress::name).sorted().toList());
        return new Membership(
                prefix + ":membership",
                "nodes=" + nodes.size() + " addresses=" + hash(names) + " maxTtl=" + maxTtlMillis + "ms seeds="
                        + seeds);
    }

    /** What to say if a node has {@code found}, or null if that is the same. */
    @Nullable String objection(String node, String found) {
        return found.equals(text)
                ? null
                : "this client and those before it are configured differently, so they could both hold a lock. This client: "
                        + text + ". On " + node + ": " + found
                        + ". Correct the wrong side; after a deliberate change stop"
                        + " all clients, wait for maxTtl, and delete the key " + key + " on all nodes.";
    }

    String prefix() {
        return key.substring(0, key.lastIndexOf(':'));
    }

    private static String hash(String names) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(names.getBytes(UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
