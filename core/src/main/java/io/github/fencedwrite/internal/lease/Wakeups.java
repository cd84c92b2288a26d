package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.internal.redis.Background;
import io.github.fencedwrite.internal.redis.Node;
import io.github.fencedwrite.internal.redis.ResourceKeys;
import io.github.fencedwrite.internal.redis.Subscription;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears of releases by other clients, as a hint only: waiters attempt now and then all the same. One node is listened to at
 * a time, since a release goes to all of them; if it fails, the next one. There is a thread and a connection only while
 * somebody waits, and for a little while after. Safe for use by many threads.
 */
final class Wakeups implements WaitQueue.Watcher, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Wakeups.class);
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LINGER = TimeUnit.SECONDS.toNanos(5);

    private final List<Node> nodes;
    private final Background background;
    private final String prefix;
    private final Set<String> watched = ConcurrentHashMap.newKeySet();
    private Consumer<String> listener = resource -> {};
    private int current;
    private boolean running;
    private @Nullable Subscription subscription;

    Wakeups(List<Node> nodes, Background background, String prefix) {
        this.nodes = nodes;
        this.background = background;
        this.prefix = prefix;
    }

    /** Who is told of a release; set before the first use. */
    void listen(Consumer<String> whoever) {
        listener = whoever;
    }

    @Override
    public void watch(String resource) {
        synchronized (this) {
            watched.add(resource);
            if (subscription != null) {
                subscription.add(ResourceKeys.channelOf(prefix, resource));
            }
            if (!running && !background.isClosed()) {
                running = true;
                background.thread("fenced-write-wakeups", this::run);
            }
        }
    }

    @Override
    public void unwatch(String resource) {
        synchronized (this) {
            watched.remove(resource);
            if (subscription != null) {
                subscription.remove(ResourceKeys.channelOf(prefix, resource));
            }
        }
    }

    private void run() {
        while (true) {
            Subscription open = null;
            try {
                open = open();
                if (open == null) {
                    return;
                }
                listen(open);
            } catch (RuntimeException e) {
                log.debug("No wake-ups from {}", nodes.get(current).name(), e);
                synchronized (this) {
                    current = (current + 1) % nodes.size();
                }
                sleep();
            } finally {
                synchronized (this) {
                    subscription = null;
                }
                if (open != null) {
                    open.close();
                }
            }
        }
    }

    /** Null if nobody waits any more; then the thread ends. */
    private @Nullable Subscription open() {
        synchronized (this) {
            if (watched.isEmpty() || background.isClosed()) {
                running = false;
                return null;
            }
        }
        Subscription open = nodes.get(current).subscribe();
        synchronized (this) {
            subscription = open;
            watched.forEach(resource -> open.add(ResourceKeys.channelOf(prefix, resource)));
        }
        return open;
    }

    private void listen(Subscription open) {
        long idleSince = System.nanoTime();
        while (!background.isClosed()) {
            byte[] channel = open.next();
            if (channel != null) {
                listener.accept(ResourceKeys.resourceOf(prefix, channel));
            }
            if (!watched.isEmpty()) {
                idleSince = System.nanoTime();
            } else if (System.nanoTime() - idleSince > LINGER) {
                return;
            }
        }
    }

    private static void sleep() {
        try {
            TimeUnit.NANOSECONDS.sleep(PAUSE);
        } catch (InterruptedException e) {
            // nobody interrupts this thread on purpose
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            watched.clear();
            if (subscription != null) {
                subscription.close();
            }
        }
    }
}
