package io.github.fencedwrite.internal.protocol;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Mints the fencing token of one attempt. This class is the whole algorithm of the token:
 *
 * <ol>
 *   <li>Each node that grants the lock has counted its counter up by one and answers it: c(i).
 *   <li>Once a quorum q has granted, the proposal M is the greatest of their counters. It is fixed from here on.
 *   <li>A node whose counter is M has accepted M. If q nodes have, the token is M: one round trip.
 *   <li>Otherwise the granting nodes below M are asked to raise their counter to M. One that says yes has accepted M. One
 *       that says no (the lock is no longer this attempt's, the counter is gone, or another attempt moved it to M or
 *       beyond) never will, even if the question is repeated.
 *   <li>A grant that comes later than the proposal counts as accepted if it equals M, is raised if it is below, and is no
 *       help if it is above.
 *   <li>With q acceptances the token is M. When q can no longer be reached there is no token, and the attempt has to give
 *       the locks back.
 * </ol>
 *
 * <p>Why tokens are unique and ordered: a node accepts a value for at most one attempt, since a counter moves to that value
 * only once and never goes down. Two quorums share a node. So no two attempts get the same M; and when an attempt begins
 * after another completed with M', the shared node stands at M' or above before it counts up, so M is greater. Clocks and
 * the expiry of locks play no part. It ends where more nodes forget their counter than the token has to spare; see the
 * module's README.
 */
final class Ballot {

    private final int quorum;
    private final long[] counters;
    private final BitSet granted = new BitSet();
    private final BitSet accepted = new BitSet();
    private final BitSet asked = new BitSet();
    private final BitSet raising = new BitSet();
    private long proposal;
    private boolean contradicted;

    Ballot(int nodes, int quorum) {
        this.quorum = quorum;
        this.counters = new long[nodes];
    }

    /** A node granted the lock and now counts {@code counter}. */
    void granted(int node, long counter) {
        granted.set(node);
        counters[node] = counter;
        if (proposal == 0 && granted.cardinality() >= quorum) {
            proposal = greatestCounter();
            granted.stream().filter(i -> counters[i] == proposal).forEach(accepted::set);
        } else if (counter == proposal) {
            accepted.set(node);
        }
    }

    /** A node answered the request to raise its counter to the proposal. */
    void raised(int node, Answer answer) {
        raising.clear(node);
        if (answer instanceof Answer.Yes) {
            counters[node] = proposal;
            accepted.set(node);
        } else if (answer instanceof Answer.No) {
            contradicted = true;
        }
    }

    /** The nodes that have to be asked for a raise now; each is named once. */
    List<Integer> nodesToRaise() {
        List<Integer> nodes = new ArrayList<>();
        if (proposal != 0 && !isWon()) {
            granted.stream()
                    .filter(i -> counters[i] < proposal && !asked.get(i))
                    .forEach(nodes::add);
            nodes.forEach(asked::set);
            nodes.forEach(raising::set);
        }
        return nodes;
    }

    /** Whether a quorum has granted, so that a token is being agreed on. */
    boolean hasProposal() {
        return proposal != 0;
    }

    /** The token, once {@link #isWon()}. */
    long proposal() {
        return proposal;
    }

    boolean isWon() {
        return proposal != 0 && accepted.cardinality() >= quorum;
    }

    /** Whether it took no raise to win. */
    boolean isFast() {
        return asked.isEmpty();
    }

    /** Whether the proposal can still win if {@code unanswered} nodes have not answered the acquire yet. */
    boolean canStillWin(int unanswered) {
        return accepted.cardinality() + raising.cardinality() + unanswered >= quorum;
    }

    /** Whether a node refused the proposal, so that it was another attempt, not silence, that made this one fail. */
    boolean isContradicted() {
        return contradicted || granted.stream().anyMatch(i -> counters[i] > proposal);
    }

    /** Whether {@code node} granted the lock and is known to stand below the token, with no raise under way. */
    boolean isBehind(int node) {
        return granted.get(node) && counters[node] < proposal && !raising.get(node);
    }

    String describe(int node) {
        return counters[node]
                + (accepted.get(node) ? "a" : "")
                + (asked.get(node) ? "r" : "")
                + (raising.get(node) ? "?" : "");
    }

    String describe() {
        return proposal + (contradicted ? "!" : "");
    }

    private long greatestCounter() {
        return granted.stream().mapToLong(i -> counters[i]).max().orElseThrow();
    }
}
