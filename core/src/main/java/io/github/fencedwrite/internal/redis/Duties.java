package io.github.fencedwrite.internal.redis;

import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases that a node still owes. A server may execute what a closed connection had sent, even after a release that came
 * over a new one; so the release is repeated until the ttl has passed since the node first answered again. Safe for use by
 * many threads.
 */
final class Duties {

    private static final Logger log = LoggerFactory.getLogger(Duties.class);
    private static final int MOST = 10_000;
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(30);

    private final Node node;
    private final ArrayDeque<Duty> open = new ArrayDeque<>();
    private boolean scheduled;

    Duties(Node node) {
        this.node = node;
    }

    void add(ResourceKeys keys, Command.Release release, long ttlMillis) {
        synchronized (open) {
            if (open.size() == MOST) {
                log.warn("Node {} owes more than {} releases; the oldest lock runs out by itself", node.name(), MOST);
                open.removeFirst();
            }
            open.addLast(new Duty(keys, release, TimeUnit.MILLISECONDS.toNanos(ttlMillis)));
        }
        schedule(0);
    }

    void nodeIsUp() {
        schedule(0);
    }

    private void schedule(long delayNanos) {
        synchronized (open) {
            if (scheduled || open.isEmpty()) {
                return;
            }
            scheduled = true;
        }
        node.background().runAfter(delayNanos, this::fulfil);
    }

    private void fulfil() {
        List<Duty> due = new ArrayList<>();
        synchronized (open) {
            scheduled = false;
            for (Iterator<Duty> all = open.iterator(); all.hasNext(); ) {
                Duty duty = all.next();
                if (duty.isOver()) {
                    all.remove();
                } else {
                    due.add(duty);
                }
            }
        }
        NodeConnection connection = node.borrow();
        if (connection != null) {
            for (Duty duty : due) {
                if (!duty.asked && !connection.isClosed()) {
                    duty.asked = connection.send(duty, duty.release, duty.keys);
                }
            }
            connection.read(null, TimeUnit.MILLISECONDS.toNanos(1));
        }
        if (node.isUp()) {
            schedule(PAUSE);
        }
    }

    /** One release that has to be repeated. */
    private static final class Duty implements Recipient {

        final ResourceKeys keys;
        final Command.Release release;
        final long ttlNanos;
        final long begun = System.nanoTime();
        volatile boolean asked;
        private volatile boolean answeredOnce;
        private volatile long firstAnswer;

        Duty(ResourceKeys keys, Command.Release release, long ttlNanos) {
            this.keys = keys;
            this.release = release;
            this.ttlNanos = ttlNanos;
        }

        boolean isOver() {
            long now = System.nanoTime();
            return (answeredOnce && now - firstAnswer > ttlNanos) || now - begun > LONGEST;
        }

        @Override
        public void answered(int node, Command command, Answer answer) {
            asked = false;
            if (!(answer instanceof Answer.Failed failed && failed.mayHaveRun()) && !answeredOnce) {
                firstAnswer = System.nanoTime();
                answeredOnce = true;
            }
        }

        @Override
        public boolean waitsFor(int node) {
            return false;
        }
    }
}
