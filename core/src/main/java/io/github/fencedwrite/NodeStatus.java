package io.github.fencedwrite;

import java.time.Duration;
import java.util.Optional;

/**
 * How one node looks to a running client.
 *
 * @param node host and port
 * @param up whether the client can talk to it
 * @param lastFailure why it is not up, or the latest failure if it is up again
 * @param latency how long it lately took to answer, zero if it never did
 * @param quarantinedFor how long it will not vote yet, zero if it votes
 * @param runId of the server as last seen, changes with each restart; empty if it never answered
 * @param version of the server as last seen; empty if it never answered
 * @param clockAhead the node's wall clock minus this client's
 */
public record NodeStatus(
        String node,
        boolean up,
        Optional<NodeFailure> lastFailure,
        Duration latency,
        Duration quarantinedFor,
        String runId,
        String version,
        Duration clockAhead) {}
