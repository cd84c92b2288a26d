package io.github.fencedwrite.internal.simulation;

import io.github.fencedwrite.internal.protocol.ModelNode;

/** The protocol as it is, and ways to get it wrong, which the checks must find. */
enum Variant {
    RIGHT,
    /** The greatest counter of a quorum is the token, whether or not a quorum accepts it. */
    MAX_WITHOUT_BALLOT,
    UNCONDITIONAL_RAISE(ModelNode.Rule.RAISE_WITHOUT_CONDITION),
    NO_RUN_ID(ModelNode.Rule.NO_RUN_ID),
    NO_SEED,
    /** Only the nodes that made the quorum know the token. */
    NO_LIFT_TO_ALL,
    RELEASE_ON_ANOTHER_CONNECTION,
    /** A release that got lost is not repeated. */
    RELEASE_ONCE,
    RELEASE_WITHOUT_OWNER_CHECK(ModelNode.Rule.RELEASE_WITHOUT_OWNER),
    QUORUM_OF_REACHABLE_NODES,
    OWNER_ID_REUSED,
    EXTENSION_COUNTS_RELOCKED_NODES(ModelNode.Rule.EXTENSION_LOCKS_AGAIN),
    VALIDITY_ON_WALL_CLOCK,
    NO_DRIFT_ALLOWANCE,
    NO_QUARANTINE,
    TOP_UP_AFTER_RELEASE,
    /** The lock is set before the counter is known to be a number. */
    LOCK_BEFORE_COUNTER(ModelNode.Rule.LOCK_BEFORE_COUNTER);

    final ModelNode.Rule nodeRule;

    Variant() {
        this(ModelNode.Rule.RIGHT);
    }

    Variant(ModelNode.Rule nodeRule) {
        this.nodeRule = nodeRule;
    }
}
