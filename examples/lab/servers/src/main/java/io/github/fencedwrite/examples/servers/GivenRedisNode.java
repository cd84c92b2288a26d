package io.github.fencedwrite.examples.servers;

import java.net.URI;
import java.time.Duration;

/** A node at an address that the user gave; it is left as it is. */
record GivenRedisNode(String uri, String host, int port) implements RedisNode {

    private static final int DEFAULT_PORT = 6379;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    static GivenRedisNode parse(String address) {
        try {
            URI uri = URI.create(address);
            if (uri.getHost() != null && ("redis".equals(uri.getScheme()) || "rediss".equals(uri.getScheme()))) {
                return new GivenRedisNode(address, uri.getHost(), uri.getPort() == -1 ? DEFAULT_PORT : uri.getPort());
            }
        } catch (IllegalArgumentException malformed) {
            // told below
        }
        throw new ServersException("-D" + Servers.REDIS_NODES + ": \"" + address
                + "\" is no address; write redis://host:port, several separated by commas");
    }

    @Override
    public void pause() {
        throw untouchable("paused");
    }

    @Override
    public void resume() {
        throw untouchable("resumed");
    }

    @Override
    public void kill() {
        throw untouchable("killed");
    }

    @Override
    public void saveSnapshot() {
        throw untouchable("copied");
    }

    @Override
    public void restart(Data data) {
        throw untouchable("restarted");
    }

    /** Over TLS only the port can be tried. */
    @Override
    public boolean isRunning() {
        return RedisPing.answers(host, port, TIMEOUT);
    }

    /** Without the password that the address may carry. */
    @Override
    public String toString() {
        return host + ":" + port;
    }

    private ServersException untouchable(String what) {
        return new ServersException(this + " was given by -D" + Servers.REDIS_NODES + " and cannot be " + what
                + " from here; leave the property away to have nodes started");
    }
}
