package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.LockNotAcquiredException.Reason;
import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Verdict;
import io.github.fencedwrite.internal.redis.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Puts into words why a lock was not taken, and what can be done about it. */
final class RefusalMessages {

    private final List<Node> nodes;
    private final HeldLeases leases;

    RefusalMessages(List<Node> nodes, HeldLeases leases) {
        this.nodes = nodes;
        this.leases = leases;
    }

    /** After {@code attempts} attempts, 0 if only one was allowed, of which the last ended with {@code refused}. */
    LockNotAcquiredException refused(
            String resource, Verdict.Refused refused, LeaseExchange exchange, long waitedNanos, int attempts) {
        Map<String, NodeFailure> failures = new LinkedHashMap<>();
        int busy = 0;
        int forEver = 0;
        int granted = 0;
        long longest = 0;
        String label = "";
        for (Node node : nodes) {
            Answer answer = exchange.lastAnswer(node.index());
            if (answer instanceof Answer.Failed failed) {
                failures.put(node.name(), failed.failure());
            } else if (answer instanceof Answer.Busy other) {
                busy++;
                forEver += other.remainingMillis() == -1 ? 1 : 0;
                longest = Math.max(longest, other.remainingMillis());
                label = label.isEmpty() ? other.label() : label;
            } else if (answer != null) {
                granted++;
            }
        }
        String after = attempts > 0 ? " within " + millis(waitedNanos) + " and " + attempts + " attempts" : "";
        String start = "\"" + resource + "\" was not locked" + after + ": ";
        switch (refused.reason()) {
            case CONTENDED, OUTVOTED -> {
                RedisLease own = leases.of(resource);
                if (own != null) {
                    return exception(
                            start + heldByThisClient(own) + listing(failures), resource, Reason.CONTENDED, failures);
                }
                String text = refused.reason() == Verdict.Refusal.OUTVOTED
                        ? "other clients asked for it at the same moment and got in between."
                        : "another owner" + (label.isEmpty() ? "" : " (" + label + ")") + " holds it on at least "
                                + busy + " of " + nodes.size() + " nodes"
                                + (longest > 0 ? ", for up to " + longest + " ms more." : ".");
                String keys = forEver == 0
                        ? " Wait longer for it, or try again later."
                        : " On " + forEver + " nodes its lock key has no expiry, so this client did not write it and it"
                                + " will never run out: find out who did, and delete it.";
                return exception(start + text + keys + listing(failures), resource, Reason.CONTENDED, failures);
            }
            case TOO_SLOW -> {
                return exception(
                        start
                                + "the nodes took so long to answer that nothing was left of the ttl. Use a longer ttl, or"
                                + " find out why the nodes are slow." + listing(failures),
                        resource,
                        Reason.TIMEOUT,
                        failures);
            }
            case GIVEN_UP -> {
                return exception(
                        start + "the wait was over before enough nodes had answered." + listing(failures),
                        resource,
                        Reason.TIMEOUT,
                        failures);
            }
            default -> {
                int usable = granted + busy;
                String text = "only " + usable + " of " + nodes.size() + " nodes gave a usable answer, and "
                        + (nodes.size() / 2 + 1) + " are needed. " + advice(failures);
                return exception(start + text + listing(failures), resource, Reason.NO_QUORUM, failures);
            }
        }
    }

    private static String heldByThisClient(RedisLease lease) {
        return "this client holds it itself, by the " + lease + ", for "
                + lease.remaining().toMillis()
                + " ms more. Release that lease first, hand it on to those who need it, or"
                + " wait longer.";
    }

    /** What to do if too few nodes gave a usable answer. */
    private String advice(Map<String, NodeFailure> failures) {
        long quarantined = 0;
        long longest = 0;
        for (Node node : nodes) {
            NodeFailure failure = failures.get(node.name());
            if (failure != null && failure.reason() == NodeFailure.Reason.QUARANTINED) {
                quarantined++;
                longest = Math.max(longest, node.status().quarantinedFor().toMillis() + 1);
            }
        }
        String others = failures.size() > quarantined ? "Check the others." : "";
        if (quarantined == 0) {
            return others;
        }
        return quarantined + (quarantined == 1 ? " node" : " nodes")
                + " started lately and may have forgotten locks: wait, at most " + longest
                + " ms more, or build the client"
                + " with quarantine(false) for nodes that start empty in development." + (others.isEmpty() ? "" : " ")
                + others;
    }

    LockNotAcquiredException interrupted(String resource, @Nullable Throwable cause) {
        return new LockNotAcquiredException(
                "\"" + resource + "\" was not locked: the thread was interrupted. Its flag is set.",
                resource,
                Reason.INTERRUPTED,
                Map.of(),
                cause);
    }

    /** The wait was over during the first attempt. */
    LockNotAcquiredException unfinished(String resource, long waitedNanos) {
        return exception(
                "\"" + resource + "\" was not locked within " + millis(waitedNanos)
                        + ": the wait was over before enough nodes had answered.",
                resource,
                Reason.TIMEOUT,
                Map.of());
    }

    /** The wait was over before this caller's turn came; {@code ofOthers} is why those before it are still waiting. */
    LockNotAcquiredException neverTried(
            String resource, long waitedNanos, @Nullable LockNotAcquiredException ofOthers) {
        String begin = "\"" + resource + "\" was not locked within " + millis(waitedNanos) + ": ";
        RedisLease own = leases.of(resource);
        if (own != null) {
            return exception(begin + heldByThisClient(own), resource, Reason.CONTENDED, Map.of());
        }
        String start = begin + "other callers of this client were before this one";
        if (ofOthers != null) {
            return new LockNotAcquiredException(
                    start + ", and the latest of them was told: " + ofOthers.getMessage(),
                    resource,
                    ofOthers.reason(),
                    ofOthers.nodeFailures(),
                    null);
        }
        return exception(
                start + " all the time. Wait longer, or lock something smaller.", resource, Reason.CONTENDED, Map.of());
    }

    LockNotAcquiredException misconfigured(String resource, String why) {
        return exception("\"" + resource + "\" was not locked: " + why, resource, Reason.MISCONFIGURED, Map.of());
    }

    private static LockNotAcquiredException exception(
            String message, String resource, Reason reason, Map<String, NodeFailure> failures) {
        return new LockNotAcquiredException(message, resource, reason, failures, null);
    }

    private static String listing(Map<String, NodeFailure> failures) {
        if (failures.isEmpty()) {
            return "";
        }
        StringJoiner listing = new StringJoiner("; ", " Nodes without a usable answer: ", "");
        failures.forEach((node, failure) -> listing.add(node + " " + failure));
        return listing.toString();
    }

    private static String millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
    }
}
