package io.github.fencedwrite.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.NodeFailure;
import org.junit.jupiter.api.Test;

/** The algorithm of the token step by step, on five nodes of which three are a quorum. */
class BallotTest {

    private static final Answer YES = new Answer.Yes();
    private static final Answer NO = new Answer.No();
    private static final Answer LOST =
            new Answer.Failed(new NodeFailure(NodeFailure.Reason.CONNECTION_LOST, "reply lost"), true);

    private final Ballot ballot = new Ballot(5, 3);

    private void granted(long... counters) {
        for (int node = 0; node < counters.length; node++) {
            ballot.granted(node, counters[node]);
        }
    }

    @Test
    void proposesNothingBeforeAQuorumHasGranted() {
        granted(7, 7);
        assertThat(ballot.hasProposal()).isFalse();
        assertThat(ballot.isWon()).isFalse();
        assertThat(ballot.nodesToRaise()).isEmpty();
    }

    @Test
    void agreesAtOnceWhereAQuorumStandsAtTheSame() {
        granted(7, 7, 7);
        assertThat(ballot.isWon()).isTrue();
        assertThat(ballot.isFast()).isTrue();
        assertThat(ballot.proposal()).isEqualTo(7);
        assertThat(ballot.nodesToRaise()).isEmpty();
    }

    @Test
    void raisesTheOthersToTheGreatestCounterAndAsksEachOnce() {
        granted(5, 9, 7);
        assertThat(ballot.proposal()).isEqualTo(9);
        assertThat(ballot.isWon()).isFalse();
        assertThat(ballot.nodesToRaise()).containsExactly(0, 2);
        assertThat(ballot.nodesToRaise()).isEmpty();
        assertThat(ballot.isBehind(0)).as("while it is being raised").isFalse();
        ballot.raised(0, YES);
        assertThat(ballot.isWon()).isFalse();
        ballot.raised(2, YES);
        assertThat(ballot.isWon()).isTrue();
        assertThat(ballot.isFast()).isFalse();
        assertThat(ballot.isBehind(0)).isFalse();
    }

    @Test
    void countsALateGrantOfTheProposalAndNoOther() {
        granted(9, 8, 9, 9);
        assertThat(ballot.isWon()).isTrue();

        Ballot other = new Ballot(5, 3);
        other.granted(0, 9);
        other.granted(1, 8);
        other.granted(2, 8);
        other.granted(3, 10);
        assertThat(other.proposal()).as("is not opened again").isEqualTo(9);
        assertThat(other.isContradicted()).isTrue();
        assertThat(other.nodesToRaise()).containsExactly(1, 2);
        other.raised(1, YES);
        assertThat(other.isWon()).isFalse();
        other.granted(4, 7);
        assertThat(other.nodesToRaise()).containsExactly(4);
    }

    @Test
    void givesUpWhenAQuorumCannotAcceptAnyMore() {
        granted(9, 8, 7);
        assertThat(ballot.nodesToRaise()).containsExactly(1, 2);
        assertThat(ballot.canStillWin(0)).isTrue();
        ballot.raised(1, NO);
        assertThat(ballot.isContradicted()).isTrue();
        assertThat(ballot.isBehind(1)).isTrue();
        assertThat(ballot.canStillWin(0)).isFalse();
        assertThat(ballot.canStillWin(1)).isTrue();
    }

    @Test
    void takesSilenceNeitherForAYesNorForAContradiction() {
        granted(9, 8, 8);
        assertThat(ballot.nodesToRaise()).hasSize(2);
        ballot.raised(1, LOST);
        assertThat(ballot.isContradicted()).isFalse();
        assertThat(ballot.isWon()).isFalse();
        assertThat(ballot.canStillWin(0)).isFalse();
    }

    @Test
    void saysWhichNodesAreBehindTheToken() {
        granted(9, 9, 9, 4);
        assertThat(ballot.isBehind(3)).isTrue();
        assertThat(ballot.isBehind(0)).isFalse();
        assertThat(ballot.isBehind(4)).as("has not granted").isFalse();
    }

    @Test
    void isDescribedByAllThatItKnows() {
        granted(9, 8, 7);
        ballot.nodesToRaise();
        ballot.raised(1, NO);
        assertThat(ballot.describe(0)).as("accepted").isEqualTo("9a");
        assertThat(ballot.describe(1)).as("asked for a raise").isEqualTo("8r");
        assertThat(ballot.describe(2)).as("being raised").isEqualTo("7r?");
        assertThat(ballot.describe(3)).as("not heard of").isEqualTo("0");
        assertThat(ballot.describe()).as("contradicted").isEqualTo("9!");
        assertThat(new Ballot(5, 3).describe()).isEqualTo("0");
    }
}
