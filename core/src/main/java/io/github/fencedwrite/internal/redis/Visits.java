package io.github.fencedwrite.internal.redis;

import io.github.fencedwrite.internal.protocol.OwnerId;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;

/** Connections to a node that take no part in locking. */
final class Visits {

    private Visits() {}

    /** Takes a closer look, over a connection of its own. */
    static Inspection inspect(Node node, InetAddress[] hosts, String prefix) {
        long timeout = node.timeoutNanos();
        Wire wire = Wire.connect(node.address(), hosts, timeout);
        try {
            ServerInfo known = ServerInfo.ask(wire, node.settings(), System.nanoTime() + timeout);
            ResourceKeys keys = new ResourceKeys(prefix, "preflight-" + UUID.randomUUID());
            OwnerId owner = new OwnerId(UUID.randomUUID().toString().replace("-", ""));
            return Inspection.of(wire, node, keys, owner, known.runId().getBytes(StandardCharsets.US_ASCII));
        } finally {
            wire.closeGently();
        }
    }

    /** Opens a connection that only listens. */
    static Subscription subscribe(Node node, InetAddress[] hosts) {
        long timeout = node.timeoutNanos();
        Wire wire = Wire.connect(node.address(), hosts, timeout);
        try {
            wire.write(new CommandArguments(Protocol.Command.TIME));
            var unused = ServerInfo.micros(wire.read(System.nanoTime() + timeout));
            return new Subscription(wire, timeout);
        } catch (RuntimeException e) {
            wire.abort();
            throw e;
        }
    }
}
