package io.github.fencedwrite.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.NodeFailure;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node that answers the acquire only after the lease was released still has to learn the token. */
class LateAnswerTest {

    private static final int LATE = 2;

    private final OwnerId owner = new OwnerId("owner");
    private final Command.Acquire acquire = new Command.Acquire(owner, 1_000, 0);
    private final Attempt attempt = new Attempt(3, owner, 1_000, 0, 0);

    @Test
    void liftsANodeThatGrantedBelowTheToken() {
        releaseWithToken7();

        assertThat(late(new Answer.Granted(6))).containsExactly(new Action.Send(LATE, new Command.Lift(7)));
    }

    @Test
    void liftsANodeThatWasBusyAndLeavesItsLockAlone() {
        releaseWithToken7();

        assertThat(late(new Answer.Busy(500))).containsExactly(new Action.Send(LATE, new Command.Lift(7)));
    }

    @Test
    void liftsANodeThatFailedAndLeavesItsLockAlone() {
        releaseWithToken7();
        NodeFailure failure = new NodeFailure(NodeFailure.Reason.CONNECTION_LOST, "reset");

        assertThat(late(new Answer.Failed(failure, true))).containsExactly(new Action.Send(LATE, new Command.Lift(7)));
    }

    @Test
    void leavesANodeAloneThatGrantedTheToken() {
        releaseWithToken7();

        assertThat(late(new Answer.Granted(7))).isEmpty();
    }

    private void releaseWithToken7() {
        attempt.on(new Event.Begin(), 0);
        attempt.on(new Event.Answered(0, acquire, new Answer.Granted(7)), 0);
        assertThat(attempt.on(new Event.Answered(1, acquire, new Answer.Granted(7)), 0))
                .contains(new Action.Decide(new Verdict.Held(7, 1_000_000_000, true)));
        attempt.on(new Event.Release(), 0);
    }

    private List<Action> late(Answer answer) {
        return attempt.on(new Event.Answered(LATE, acquire, answer), 0);
    }
}
