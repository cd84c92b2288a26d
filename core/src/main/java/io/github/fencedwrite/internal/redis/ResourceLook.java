package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.fencedwrite.LockHolder;
import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.ReleaseResult;
import io.github.fencedwrite.ResourceStatus;
import io.github.fencedwrite.ResourceStatus.OnNode;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.protocol.OwnerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Looks at the keys of one resource for people, and releases its lock for them. Waits for one node after the other; takes no
 * part in locking.
 */
public final class ResourceLook {

    private static final long HIGHEST = (1L << 53) - (1L << 20);

    private final List<Node> nodes;
    private final String resource;
    private final ResourceKeys keys;

    /** At {@code resource}, below {@code prefix}. */
    public ResourceLook(List<Node> nodes, String prefix, String resource) {
        this.nodes = nodes;
        this.resource = resource;
        this.keys = new ResourceKeys(prefix, resource);
    }

    /** What each node says. */
    public ResourceStatus status() {
        return new ResourceStatus(resource, nodes.stream().map(this::on).toList());
    }

    private OnNode on(Node node) {
        try {
            return new OnNode(node.name(), holder(node), counter(node), Optional.empty());
        } catch (RuntimeException e) {
            return unknown(node, Replies.failure(e));
        }
    }

    private static OnNode unknown(Node node, NodeFailure failure) {
        return new OnNode(node.name(), Optional.empty(), OptionalLong.empty(), Optional.of(failure));
    }

    private Optional<LockHolder> holder(Node node) {
        String value = text(ask(node, new CommandArguments(Protocol.Command.GET).add(keys.lock())));
        if (value == null) {
            return Optional.empty();
        }
        Object left = ask(node, new CommandArguments(Protocol.Command.PTTL).add(keys.lock()));
        long millis = left instanceof Long number ? number : -2;
        if (millis == -2) {
            return Optional.empty();
        }
        int space = value.indexOf(' ');
        boolean labelled = space > 0 && space < value.length() - 1;
        return Optional.of(new LockHolder(
                labelled ? value.substring(0, space) : value,
                labelled ? value.substring(space + 1) : "",
                millis < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis))));
    }

    private OptionalLong counter(Node node) {
        String value = text(ask(node, new CommandArguments(Protocol.Command.GET).add(keys.token())));
        try {
            return value == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(value));
        } catch (NumberFormatException e) {
            throw new JedisDataException("FENCEDWRITE the counter is no number: " + value);
        }
    }

    /**
     * Releases the lock of whoever holds it, and raises the counters.
     *
     * <ol>
     *   <li>Look at each node: who holds the lock there, and the greatest counter of all.
     *   <li>Release it there, for that very owner: another one, who got the lock meanwhile, keeps it.
     *   <li>Raise each counter above the greatest, so that the next token is greater than all before. A counter that is gone
     *       stays gone, as that shows its loss to the next acquisition.
     * </ol>
     */
    public ReleaseResult forceRelease() {
        ResourceStatus before = status();
        long above = before.counter().orElse(HIGHEST) + 1;
        int answered = 0;
        boolean held = false;
        for (Node node : nodes) {
            OnNode found = before.nodes().get(node.index());
            if (found.failure().isPresent()) {
                continue;
            }
            try {
                if (found.holder().isPresent()) {
                    held = true;
                    release(node, found.holder().get());
                }
                if (above < HIGHEST) {
                    var unused = run(node, new Command.Lift(above));
                }
                answered++;
            } catch (RuntimeException e) {
                // the node is one of those that did not answer
            }
        }
        if (answered <= nodes.size() / 2) {
            return ReleaseResult.UNCONFIRMED;
        }
        return held ? ReleaseResult.RELEASED : ReleaseResult.NOT_HELD;
    }

    private void release(Node node, LockHolder holder) {
        String value = holder.label().isEmpty() ? holder.owner() : holder.owner() + " " + holder.label();
        var unused = run(node, new Command.Release(new OwnerId(value)));
    }

    private @Nullable Object run(Node node, Command command) {
        return ask(node, node.encoding().encode(command, keys, new byte[0], true));
    }

    private static @Nullable Object ask(Node node, CommandArguments question) {
        Object reply = node.ask(question);
        if (reply instanceof JedisDataException error) {
            throw error;
        }
        return reply;
    }

    private static @Nullable String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : null;
    }
}
