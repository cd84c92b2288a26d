package io.github.fencedwrite.internal.protocol;

import java.util.BitSet;

/** Counts the answers of all nodes to one question until a quorum of yeses is certain or out of reach. */
final class Tally {

    private final int nodes;
    private final int quorum;
    private final BitSet open = new BitSet();
    private int yes;
    private int no;
    private boolean closed;

    Tally(int nodes, int quorum) {
        this.nodes = nodes;
        this.quorum = quorum;
        open.set(0, nodes);
    }

    /** Counts one node's answer; a second one of the same node changes nothing. */
    void count(int node, Answer answer) {
        if (!open.get(node)) {
            return;
        }
        open.clear(node);
        if (answer instanceof Answer.Yes) {
            yes++;
        } else if (answer instanceof Answer.No) {
            no++;
        }
    }

    /** A quorum said yes. */
    boolean isCarried() {
        return yes >= quorum;
    }

    /** So many said no that no quorum can say yes, whatever the silent and the broken ones would say. */
    boolean isRejected() {
        return nodes - no < quorum;
    }

    /** Nothing that is still to come can make a quorum of yeses or a rejection. */
    boolean isUndecidable() {
        int silent = open.cardinality();
        return yes + silent < quorum && nodes - no - silent >= quorum;
    }

    /** True once: the first time that the result is certain. */
    boolean closesNow() {
        if (closed || !(isCarried() || isRejected() || isUndecidable())) {
            return false;
        }
        closed = true;
        return true;
    }
}
