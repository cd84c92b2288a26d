package io.github.fencedwrite.examples.inventory.page;

import io.github.fencedwrite.examples.inventory.local.LocalNode;
import java.net.URI;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** Looks on each node for the lock of one resource, several times a second, as one would with redis-cli. */
final class NodeLocks implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 300;
    private static final long PAUSE_MILLIS = 150;

    private final Supplier<String> resource;
    private final BiConsumer<LocalNode, Lock> listener;
    private final List<Thread> threads;

    /**
     * What a node says.
     *
     * @param token of the last acquisition that reached it; 0 if there is none, or no lock
     * @param ttlMillis how long it will keep the lock, by its own clock
     */
    record Lock(boolean held, long token, long ttlMillis) {

        static final Lock NONE = new Lock(false, 0, 0);
    }

    /** Starts to look; {@code listener} is told what each node says, each time. */
    NodeLocks(List<LocalNode> nodes, Supplier<String> resource, BiConsumer<LocalNode, Lock> listener) {
        this.resource = resource;
        this.listener = listener;
        this.threads = nodes.stream().map(this::start).toList();
    }

    private Thread start(LocalNode node) {
        Thread thread = new Thread(() -> watch(node), "locks-" + node.name());
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void watch(LocalNode node) {
        URI address = URI.create(node.uri());
        while (!Thread.currentThread().isInterrupted()) {
            try (Jedis jedis = new Jedis(
                    new HostAndPort(address.getHost(), address.getPort()),
                    DefaultJedisClientConfig.builder()
                            .connectionTimeoutMillis(TIMEOUT_MILLIS)
                            .socketTimeoutMillis(TIMEOUT_MILLIS)
                            .autoNegotiateProtocol(false)
                            .build())) {
                while (!Thread.currentThread().isInterrupted()) {
                    listener.accept(node, look(jedis));
                    Thread.sleep(PAUSE_MILLIS);
                }
            } catch (JedisException away) {
                pause();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Lock look(Jedis jedis) {
        String stem = "fenced-write:" + resource.get();
        long ttl = jedis.pttl(stem + ":lock");
        if (ttl <= 0) {
            return Lock.NONE;
        }
        String token = jedis.get(stem + ":token");
        return new Lock(true, token == null ? 0 : Long.parseLong(token), ttl);
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}
