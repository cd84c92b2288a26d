package io.github.fencedwrite.internal.redis;

import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;

/**
 * What all nodes of a client have in common.
 *
 * @param timeoutNanos how long a node may take for a connection or for one answer, positive
 * @param retentionMillis how long a counter outlives its last use, 0 for ever
 * @param quarantineMillis how long a restarted node does not vote, 0 for no quarantine
 * @param membership what clients of the same nodes have to agree on
 * @param login how to log in
 */
public record NodeSettings(
        long timeoutNanos, long retentionMillis, long quarantineMillis, Membership membership, NodeLogin login) {

    /** Tells a node of the membership unless it knows of one. */
    CommandArguments writeMembership() {
        CommandArguments set = new CommandArguments(Protocol.Command.SET)
                .add(membership.key())
                .add(membership.text())
                .add("NX");
        return retentionMillis == 0 ? set : set.add("PX").add(retentionMillis);
    }

    /** Keeps the membership if that is due, and asks what stands there. */
    List<CommandArguments> checkMembership(boolean renew) {
        return renew ? List.of(renewMembership(), readMembership()) : List.of(readMembership());
    }

    /** Asks what stands there. */
    CommandArguments readMembership() {
        return new CommandArguments(Protocol.Command.GET).add(membership.key());
    }

    /** Keeps the membership for another retention; harmless if it is gone. */
    private CommandArguments renewMembership() {
        return retentionMillis == 0
                ? new CommandArguments(Protocol.Command.PERSIST).add(membership.key())
                : new CommandArguments(Protocol.Command.PEXPIRE)
                        .add(membership.key())
                        .add(retentionMillis);
    }
}
