package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.fencedwrite.NodeFailure;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * What the nodes of a client know of each other, so that a server which was put in a node's place, restored, flushed or
 * restarted is found even if it has been up for long, or says so.
 *
 * <ul>
 *   <li>A node without the membership entry, while another node of the list has it, knows nothing of the locks that it may
 *       have to keep: it is in quarantine from the moment this is seen, and gets the entry afterwards. Where no node of the
 *       list has it, this is the first start ever.
 *   <li>Each node keeps, for each other one, the run id that clients last met behind its name, and whether that was another
 *       one before. A client that meets another one puts it into quarantine; one that reads of another one asks for the name
 *       again, and leaves the server that is no longer meant.
 * </ul>
 *
 * <p>Used in steps of the loop only.
 */
final class NodeRegistry {

    private static final Logger log = LoggerFactory.getLogger(NodeRegistry.class);
    private static final long DAYS_FOR_EVER = 3_650;
    private static final String CHANGED = " changed";
    private static final String FIRST = " first";

    private final List<Node> nodes;
    private final NodeSettings settings;
    private final long ttlMillis;
    /** At the first start ever: those that are being told. */
    private final Set<Node> beginners = new HashSet<>();

    NodeRegistry(List<Node> nodes, NodeSettings settings) {
        this.nodes = nodes;
        this.settings = settings;
        this.ttlMillis =
                settings.retentionMillis() == 0 ? TimeUnit.DAYS.toMillis(DAYS_FOR_EVER) : settings.retentionMillis();
    }

    private boolean isOff() {
        return settings.quarantineMillis() == 0;
    }

    /**
     * A node told whether it has the membership entry.
     *
     * @param before what it had told before, null for nothing
     */
    void membership(Node node, boolean present, @Nullable Boolean before) {
        if (present) {
            beginners.remove(node);
            node.quarantine().endOfStranger();
            nodes.stream()
                    .filter(other -> Boolean.FALSE.equals(other.knowsUs()) && !beginners.contains(other))
                    .forEach(this::stranger);
        } else if (isOff() || beginners.contains(node)) {
            node.writeMembership();
        } else if (Boolean.TRUE.equals(before)
                || node.quarantine().wasStranger()
                || nodes.stream().anyMatch(other -> Boolean.TRUE.equals(other.knowsUs()))) {
            stranger(node);
            if (!node.quarantine().isStranger()) {
                node.writeMembership();
            }
        } else if (nodes.stream().noneMatch(other -> other.knowsUs() == null)) {
            beginners.addAll(nodes);
            nodes.forEach(Node::writeMembership);
        }
    }

    private void stranger(Node node) {
        if (node.quarantine().stranger()) {
            log.warn(
                    "Node {} knows nothing of its clients while another node does: it was replaced, restored or"
                            + " flushed",
                    node.name());
            // at the very first start another client may be about to tell it
            node.lookAgainAfter(TimeUnit.SECONDS.toNanos(1));
            node.lookAgainAfter(TimeUnit.MILLISECONDS.toNanos(settings.quarantineMillis() + 1_000));
        }
    }

    /** Asks the other nodes which server they know behind the name of {@code node}, then runs {@code then}, once. */
    void compare(Node node, String runId, Runnable then) {
        List<Node> others = isOff()
                ? List.of()
                : nodes.stream()
                        .filter(other -> other != node && other.isReady())
                        .toList();
        if (others.isEmpty()) {
            then.run();
            return;
        }
        int[] open = {others.size()};
        for (Node other : others) {
            ask(other, node, (known, ageMillis) -> {
                weigh(node, runId, known, ageMillis);
                if (--open[0] == 0) {
                    then.run();
                }
            });
        }
    }

    /** A connection to {@code node} can be used, or its time has come for a look: what do the others know of it, and it of them? */
    void look(Node node) {
        if (isOff()) {
            return;
        }
        for (Node other : nodes) {
            if (other != node && other.isReady()) {
                lookAt(node, other);
                lookAt(other, node);
            }
        }
    }

    private void lookAt(Node place, Node subject) {
        ask(place, subject, (known, ageMillis) -> {
            ServerInfo server = subject.server();
            if (server == null || !subject.isReady()) {
                return;
            }
            boolean same = weigh(subject, server.runId(), known, ageMillis);
            if (known == null) {
                write(place, subject, server.runId() + FIRST);
            } else if (!same) {
                subject.askNameAgain(() -> write(place, subject, server.runId() + CHANGED));
            } else if (ageMillis > ttlMillis / 2) {
                write(place, subject, server.runId() + FIRST);
            }
        });
    }

    /** Whether {@code runId} is what another node knows of {@code node}; if not, or not for long, it is in quarantine. */
    private boolean weigh(Node node, String runId, @Nullable String known, long ageMillis) {
        if (known == null) {
            return true;
        }
        boolean same = known.startsWith(runId + " ");
        if (!same) {
            node.quarantine().changed(runId, settings.quarantineMillis());
        } else if (known.endsWith(CHANGED)) {
            node.quarantine().changed(runId, settings.quarantineMillis() + 1_000 - ageMillis);
        }
        return same;
    }

    private void write(Node place, Node subject, String text) {
        place.question(
                new CommandArguments(Protocol.Command.SET)
                        .add(key(subject))
                        .add(text)
                        .add("PX")
                        .add(ttlMillis),
                (asked, reply, failure) -> {});
    }

    private void ask(Node place, Node subject, Told then) {
        byte[][] text = new byte[1][];
        boolean sent = place.question(
                new CommandArguments(Protocol.Command.GET).add(key(subject)),
                (asked, reply, failure) -> text[0] = reply instanceof byte[] known ? known : null);
        sent = sent
                && place.question(
                        new CommandArguments(Protocol.Command.PTTL).add(key(subject)),
                        (asked, reply, failure) -> told(text[0], reply, failure, then));
        if (!sent) {
            then.told(null, 0);
        }
    }

    private void told(byte @Nullable [] text, @Nullable Object pttl, @Nullable NodeFailure failure, Told then) {
        boolean sound = text != null && failure == null && !(pttl instanceof JedisDataException);
        long left = pttl instanceof Long millis ? millis : 0;
        then.told(sound ? new String(text, UTF_8) : null, Math.max(0, ttlMillis - left));
    }

    /** A key of a resource ends in another word, so none can meet this one. */
    private String key(Node node) {
        return settings.membership().prefix() + ":server:" + node.name();
    }

    /** Takes what a node knows of another one, null for nothing, and for how long it has. */
    private interface Told {

        void told(@Nullable String known, long ageMillis);
    }
}
