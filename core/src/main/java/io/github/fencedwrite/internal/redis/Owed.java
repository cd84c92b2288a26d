package io.github.fencedwrite.internal.redis;

import io.github.fencedwrite.NodeFailure.Reason;
import io.github.fencedwrite.internal.loop.Loop;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.protocol.OwnerId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node is owed and nobody waits for: releases that got lost or were refused, and tokens that it could not be told.
 *
 * <ul>
 *   <li>A release is repeated until the node has confirmed it. If a command of the same owner may still arrive that takes
 *       the lock (a server may execute what a closed connection had sent, even after a release that came over a new one),
 *       then also a second after that, and for the last time when the ttl has passed since.
 *   <li>Of the tokens of one resource only the latest matters.
 *   <li>Few are under way at a time, and no more than a number each tick: a node that comes back is of use at once, whatever
 *       it is owed. While it refuses to work, it is asked again after pauses that grow.
 * </ul>
 *
 * <p>Used in steps of the loop only.
 */
final class Owed {

    private static final Logger log = LoggerFactory.getLogger(Owed.class);
    private static final int MOST_UNDER_WAY = 32;
    private static final int MOST_EACH_TICK = 50;
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE = 30 * SECOND;
    private static final int MOST = 200_000;
    private static final Set<Reason> PASSING =
            Set.of(Reason.BUSY, Reason.MISCONF, Reason.READONLY, Reason.OOM, Reason.LOADING);

    private final Node node;
    private final Loop loop;
    private final Map<OwnerId, Release> releases = new HashMap<>();
    private final ArrayDeque<Release> due = new ArrayDeque<>();
    private final Map<ResourceKeys, Runnable> tokens = new LinkedHashMap<>();
    private int underWay;
    private int leftOfTick = MOST_EACH_TICK;
    private boolean ticking;
    private long pause = SECOND;
    private boolean pausing;
    private long dropped;

    Owed(Node node, Loop loop) {
        this.node = node;
        this.loop = loop;
    }

    /**
     * Repeats an owner-checked release.
     *
     * @param straying whether a command of the owner that takes the lock may still arrive
     */
    void release(ResourceKeys keys, Command.Release release, long ttlMillis, boolean straying) {
        Release known = releases.get(release.owner());
        if (known != null) {
            known.straying |= straying;
            return;
        }
        if (releases.size() >= MOST) {
            drop("releases; those locks run out by themselves");
            return;
        }
        Release added = new Release(keys, release, TimeUnit.MILLISECONDS.toNanos(ttlMillis), straying);
        releases.put(release.owner(), added);
        due.addLast(added);
        goOn();
    }

    /** Has {@code task} tell the node a token when that is possible again; it takes the place of an earlier one. */
    void token(ResourceKeys keys, Runnable task) {
        if (tokens.size() >= MOST && !tokens.containsKey(keys)) {
            drop("tokens; those counters stay behind until their resources are locked again");
            return;
        }
        tokens.remove(keys);
        tokens.put(keys, task);
        goOn();
    }

    /** The node refused what it was owed; for a while nothing more is sent if that may pass. */
    void refused(Reason reason) {
        if (PASSING.contains(reason) && !pausing) {
            pausing = true;
            var unused = loop.deadlines().at(loop.now() + pause, () -> {
                pausing = false;
                goOn();
            });
            pause = Math.min(2 * pause, LONGEST_PAUSE);
        }
    }

    static boolean mayPass(Reason reason) {
        return PASSING.contains(reason);
    }

    /** Whether nothing is owed. */
    boolean isEmpty() {
        return releases.isEmpty() && tokens.isEmpty();
    }

    private void drop(String what) {
        if (dropped++ % 10_000 == 0) {
            log.warn("Node {} is owed {} {} ({} so far)", node.name(), MOST, what, dropped);
        }
    }

    /** Sends what may be sent now. */
    void goOn() {
        while (!pausing && underWay < MOST_UNDER_WAY && leftOfTick > 0 && node.isReady()) {
            Release release = due.pollFirst();
            if (release != null) {
                release.send();
            } else if (!tokens.isEmpty()) {
                Map.Entry<ResourceKeys, Runnable> first =
                        tokens.entrySet().iterator().next();
                tokens.remove(first.getKey());
                leftOfTick--;
                first.getValue().run();
            } else {
                return;
            }
            tick();
        }
    }

    private void tick() {
        if (!ticking) {
            ticking = true;
            var unused = loop.deadlines().at(loop.now() + TICK, () -> {
                ticking = false;
                leftOfTick = MOST_EACH_TICK;
                goOn();
            });
        }
    }

    /** A release that is owed. */
    private final class Release implements ReplyHandler {

        private final ResourceKeys keys;
        private final Command.Release release;
        private final long ttlNanos;
        private boolean straying;
        private @Nullable Long confirmedAt;

        Release(ResourceKeys keys, Command.Release release, long ttlNanos, boolean straying) {
            this.keys = keys;
            this.release = release;
            this.ttlNanos = ttlNanos;
            this.straying = straying;
        }

        void send() {
            if (node.send(this, release, keys)) {
                underWay++;
                leftOfTick--;
            } else {
                due.addFirst(this);
                leftOfTick = 0;
            }
        }

        @Override
        public void answered(int index, Command command, Answer answer) {
            underWay--;
            if (!(answer instanceof Answer.Failed failed)) {
                pause = SECOND;
                confirmed();
            } else if (!node.isReady()) {
                due.addFirst(this);
            } else {
                refused(failed.failure().reason());
                if (PASSING.contains(failed.failure().reason())) {
                    due.addFirst(this);
                } else {
                    repeatAt(loop.now() + Math.max(SECOND, ttlNanos), true);
                }
            }
            goOn();
        }

        private void confirmed() {
            long now = loop.now();
            Long first = confirmedAt;
            if (first == null) {
                confirmedAt = now;
                if (!straying) {
                    done();
                } else {
                    repeatAt(now + Math.min(SECOND, ttlNanos), false);
                }
            } else if (now - first >= ttlNanos) {
                done();
            } else {
                repeatAt(first + ttlNanos, false);
            }
        }

        private void repeatAt(long at, boolean lastTime) {
            if (lastTime && confirmedAt != null) {
                done();
                return;
            }
            if (lastTime) {
                confirmedAt = loop.now();
            }
            var unused = loop.deadlines().at(at, () -> {
                due.addLast(this);
                goOn();
            });
        }

        private void done() {
            releases.remove(release.owner());
        }
    }
}
