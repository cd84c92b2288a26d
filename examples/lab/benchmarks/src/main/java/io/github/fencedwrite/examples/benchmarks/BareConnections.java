package io.github.fencedwrite.examples.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.fencedwrite.examples.servers.RedisNode;
import io.github.fencedwrite.internal.redis.Script;
import java.util.HexFormat;
import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;

/**
 * The floor: one Jedis connection per node and nothing around it. Runs the very scripts that the library runs, on one
 * thread, writes to all nodes before it reads from any, and reads from all. No time limit, no failure that is survived, no
 * ballot, nobody else may use it.
 */
final class BareConnections implements AutoCloseable {

    private static final int RESOURCES = 64;

    private final List<BareConnection> connections;
    private final byte[][][] keys = new byte[RESOURCES][][];
    private final byte[] runId = text("floor");
    private long attempts;

    BareConnections(List<RedisNode> nodes) {
        this.connections = nodes.stream().map(BareConnection::new).toList();
        for (int i = 0; i < RESOURCES; i++) {
            String stem = "floor:resource-" + i;
            keys[i] =
                    new byte[][] {text(stem + ":lock"), text(stem + ":token"), text(stem + ":run"), text(stem + ":free")
                    };
        }
        for (BareConnection connection : connections) {
            connection.load(Script.ACQUIRE);
            connection.load(Script.RELEASE);
        }
    }

    /** Acquires, mints and releases on all nodes. */
    void acquireAndRelease() {
        byte[][] names = keys[(int) (attempts++ % RESOURCES)];
        byte[] owner = text("floor---floor---" + HexFormat.of().toHexDigits(attempts));
        acquire(names, owner);
        release(names, owner);
    }

    private void acquire(byte[][] names, byte[] owner) {
        byte[] seed = text(Long.toString(System.currentTimeMillis() * 1_000));
        for (BareConnection connection : connections) {
            connection.write(call(Script.ACQUIRE, names[0], names[1], names[2])
                    .add(owner)
                    .add("10000")
                    .add(seed)
                    .add(runId)
                    .add("604800000"));
        }
        long token = 0;
        for (BareConnection connection : connections) {
            long counter = (Long) connection.getOne();
            if (token != 0 && counter != token) {
                throw new IllegalStateException("Nobody else uses these counters, but they differ");
            }
            token = counter;
        }
    }

    private void release(byte[][] names, byte[] owner) {
        for (BareConnection connection : connections) {
            connection.write(call(Script.RELEASE, names[0]).add(owner).add(names[3]));
        }
        for (BareConnection connection : connections) {
            if ((Long) connection.getOne() != 1) {
                throw new IllegalStateException("The lock was lost");
            }
        }
    }

    private static CommandArguments call(Script script, byte[]... names) {
        CommandArguments call =
                new CommandArguments(Protocol.Command.EVALSHA).add(script.sha()).add(Integer.toString(names.length));
        for (byte[] name : names) {
            call.add(name);
        }
        return call;
    }

    private static byte[] text(String text) {
        return text.getBytes(UTF_8);
    }

    @Override
    public void close() {
        connections.forEach(Connection::close);
    }

    private static final class BareConnection extends Connection {

        BareConnection(RedisNode node) {
            super(new HostAndPort(node.host(), node.port()));
        }

        void load(Script script) {
            sendCommand(Protocol.Command.SCRIPT, "LOAD", script.text());
            getOne();
        }

        void write(CommandArguments command) {
            sendCommand(command);
            flush();
        }
    }
}
