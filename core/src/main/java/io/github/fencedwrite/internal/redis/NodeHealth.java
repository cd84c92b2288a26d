package io.github.fencedwrite.internal.redis;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.NodeFailure.Reason;
import java.net.UnknownHostException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a node is worth asking. One that failed is down, with the last reason, until a probe in the background has reached
 * it again; there is one probe at a time, and the pauses between them grow. Safe for use by many threads.
 */
final class NodeHealth {

    private static final Logger log = LoggerFactory.getLogger(Node.class);
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(25);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(5);

    private final String name;
    private final Background background;
    private final Probe probe;
    private final PendingTasks whenUp = new PendingTasks();
    private final CountDownLatch firstProbe = new CountDownLatch(1);

    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable NodeFailure down = new NodeFailure(Reason.NOT_CONNECTED, "not connected yet");
    private @Nullable NodeFailure lastFailure;
    private boolean probing;
    private int failedProbes;
    private boolean shut;

    NodeHealth(String name, Background background, Probe probe) {
        this.name = name;
        this.background = background;
        this.probe = probe;
    }

    /** How a node is reached. */
    interface Probe {

        /**
         * Tries to reach the node; throws if that fails.
         *
         * @return what to do as soon as the node counts as up
         */
        Runnable reach() throws UnknownHostException;
    }

    /** Starts to connect in the background. */
    void connect() {
        lock.lock();
        try {
            probeAfter(0);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the first probe has succeeded or failed, at most until {@code deadline}. */
    void awaitFirstProbe(long deadline) throws InterruptedException {
        boolean ended = firstProbe.await(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        if (!ended) {
            log.warn("Node {} is not connected yet", name);
        }
    }

    /** Whether there is reason to think that the node answers. */
    boolean isUp() {
        lock.lock();
        try {
            return down == null;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a caller may open a connection by itself. */
    boolean admits() {
        lock.lock();
        try {
            return !shut && down == null;
        } finally {
            lock.unlock();
        }
    }

    /** Why there is no connection. */
    NodeFailure failure() {
        lock.lock();
        try {
            if (down != null) {
                return down;
            }
            return new NodeFailure(Reason.NOT_CONNECTED, shut ? "the client is closed" : "no connection is ready");
        } finally {
            lock.unlock();
        }
    }

    /** Why the node is down or, if it is up, why it last was; null if it never was. */
    @Nullable NodeFailure lastFailure() {
        lock.lock();
        try {
            return down == null ? lastFailure : down;
        } finally {
            lock.unlock();
        }
    }

    /** The node failed. */
    void failed(NodeFailure failure) {
        lock.lock();
        try {
            if (shut) {
                return;
            }
            if (down == null) {
                log.warn("Node {} is down: {}", name, failure);
            }
            down = failure;
            probeAfter(pause());
        } finally {
            lock.unlock();
        }
    }

    /** Runs {@code task} once, when the node is up again; see {@link PendingTasks}. */
    void whenUp(ResourceKeys keys, Runnable task) {
        lock.lock();
        try {
            if (down == null) {
                background.runAfter(FIRST_PAUSE, task);
            } else {
                whenUp.put(keys, task);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the probes. */
    void shut() {
        lock.lock();
        try {
            shut = true;
        } finally {
            lock.unlock();
        }
    }

    private void probeAfter(long pauseNanos) {
        if (!probing && !shut) {
            probing = true;
            background.connectAfter(pauseNanos, this::probe);
        }
    }

    private long pause() {
        long pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(failedProbes, 10));
        return failedProbes == 0 ? 0 : pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1);
    }

    private void probe() {
        try {
            Runnable afterwards = probe.reach();
            wentUp();
            afterwards.run();
            whenUp.takeAll().forEach(Runnable::run);
        } catch (UnknownHostException | RuntimeException e) {
            stillDown(Replies.failure(e));
        } finally {
            firstProbe.countDown();
        }
    }

    private void wentUp() {
        lock.lock();
        try {
            if (failedProbes > 0 || firstProbe.getCount() == 0) {
                log.info("Node {} is up again after {}", name, down);
                lastFailure = down;
            }
            down = null;
            probing = false;
            failedProbes = 0;
        } finally {
            lock.unlock();
        }
    }

    private void stillDown(NodeFailure failure) {
        lock.lock();
        try {
            if (firstProbe.getCount() > 0) {
                log.warn("Node {} is down: {}", name, failure);
            }
            down = failure;
            failedProbes++;
            probing = false;
            probeAfter(pause());
        } finally {
            lock.unlock();
        }
    }
}
