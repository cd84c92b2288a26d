package io.github.fencedwrite.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.NodeFailure;
import org.junit.jupiter.api.Test;

/** The answers of five nodes, of which three are a quorum. */
class TallyTest {

    private static final Answer YES = new Answer.Yes();
    private static final Answer NO = new Answer.No();
    private static final Answer SILENCE =
            new Answer.Failed(new NodeFailure(NodeFailure.Reason.TIMED_OUT, "no answer"), true);

    private final Tally tally = new Tally(5, 3);

    private void count(Answer... answers) {
        for (int node = 0; node < answers.length; node++) {
            tally.count(node, answers[node]);
        }
    }

    @Test
    void isCarriedByAQuorumAndClosesOnce() {
        count(YES, YES);
        assertThat(tally.isCarried()).isFalse();
        assertThat(tally.closesNow()).isFalse();
        tally.count(2, YES);
        assertThat(tally.isCarried()).isTrue();
        assertThat(tally.isRejected()).isFalse();
        assertThat(tally.closesNow()).isTrue();
        assertThat(tally.closesNow()).isFalse();
    }

    @Test
    void countsEachNodeOnce() {
        count(YES, YES);
        tally.count(1, YES);
        assertThat(tally.isCarried()).isFalse();
    }

    @Test
    void isRejectedWhenNoQuorumCanSayYes() {
        count(NO, NO);
        assertThat(tally.isRejected()).isFalse();
        tally.count(2, NO);
        assertThat(tally.isRejected()).isTrue();
        assertThat(tally.isUndecidable()).isFalse();
        assertThat(tally.closesNow()).isTrue();
    }

    @Test
    void isUndecidableWhenSilenceLeavesNeither() {
        count(YES, YES, SILENCE, SILENCE);
        assertThat(tally.isUndecidable()).as("the fifth may still carry it").isFalse();
        tally.count(4, NO);
        assertThat(tally.isUndecidable()).isTrue();
        assertThat(tally.isCarried()).isFalse();
        assertThat(tally.isRejected()).isFalse();
        assertThat(tally.closesNow()).isTrue();
    }

    @Test
    void waitsWhileARejectionIsStillPossible() {
        count(SILENCE, SILENCE, NO, NO);
        assertThat(tally.isUndecidable()).isFalse();
        assertThat(tally.closesNow()).isFalse();
        tally.count(4, SILENCE);
        assertThat(tally.isUndecidable()).isTrue();
    }
}
