package io.github.fencedwrite.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.ReleaseResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A lease on three nodes that is valid until second 1, answer by answer. Time is in nanoseconds. */
class TenureTest {

    private static final long END = 1_000_000_000;
    private static final long MILLISECOND = 1_000_000;

    private final OwnerId owner = new OwnerId("owner");
    private final Command acquire = new Command.Acquire(owner, 1_000, 0);
    private final Command extend = new Command.Extend(owner, 1_000, 1);
    private final Command release = new Command.Release(owner);
    private final Attempt attempt = new Attempt(3, owner, 1_000, 0, 0);

    @Test
    void onceHeldANodeThatDidNotGrantIsBroughtUpToTheToken() {
        Command topUp = new Command.TopUp(owner, 1_000, 7);
        assertThat(heldAfter(new Answer.Busy(50))).containsExactly(send(2, topUp));
        assertThat(heldAfter(failed(NodeFailure.Reason.TIMED_OUT))).containsExactly(send(2, topUp));
        assertThat(heldAfter(failed(NodeFailure.Reason.QUARANTINED)))
                .as("a node in quarantine locks nothing")
                .containsExactly(send(2, new Command.Lift(7)));
    }

    @Test
    void onceHeldANodeThatRefusedToBeRaisedIsLifted() {
        attempt.on(new Event.Begin(), 0);
        granted(0, 7);
        granted(1, 9);
        assertThat(answer(0, new Command.Raise(owner, 9), "no", 0)).isEmpty();
        assertThat(granted(2, 9))
                .containsExactly(decide(new Verdict.Held(9, END, false)), send(0, new Command.Lift(9)));
    }

    @Test
    void anExtensionMayBeginUntilTheLastNanosecondOfTheValidity() {
        hold();
        assertThat(attempt.on(new Event.Extend(), END - 1)).containsExactly(toAll(extend));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void anExtensionThatBeginsAtTheEndOfTheValidityOrLaterIsLost(long late) {
        hold();
        assertThat(attempt.on(new Event.Extend(), END + late)).containsExactly(decide(new Verdict.Lost()));
    }

    @Test
    void timeAloneEndsAnExtensionWhenTheValidityEnds() {
        hold();
        attempt.on(new Event.Extend(), END / 2);
        assertThat(attempt.on(new Event.Tick(), END - 1)).isEmpty();
        assertThat(attempt.on(new Event.Tick(), END)).containsExactly(decide(new Verdict.Lost()));
        assertThat(attempt.on(new Event.Tick(), END + 1)).isEmpty();
    }

    @Test
    void timeAloneSaysNothingOfALeaseThatIsNotBeingExtended() {
        hold();
        assertThat(attempt.on(new Event.Tick(), 2 * END)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "yes yes,            RELEASED",
        "no no,              NOT_HELD",
        "yes no no,          NOT_HELD",
        "silent silent,      UNCONFIRMED",
        "yes no silent,      UNCONFIRMED",
        "yes silent no,      UNCONFIRMED"
    })
    void aReleaseIsWhatAQuorumSays(String answers, ReleaseResult result) {
        hold();
        assertThat(attempt.on(new Event.Release(), 0)).containsExactly(toAll(release));
        List<Action> actions = new ArrayList<>();
        String[] each = answers.split(" ", -1);
        for (int node = 0; node < each.length; node++) {
            assertThat(actions).as("before the answer of node " + node).isEmpty();
            actions.addAll(answer(node, release, each[node], 0));
        }
        assertThat(actions).containsExactly(decide(new Verdict.Released(result)));
    }

    @Test
    void aLateNodeIsLockedForWhatRemainsOfTheValidityInWholeMilliseconds() {
        hold();
        assertThat(answer(2, acquire, "silent", END - MILLISECOND))
                .containsExactly(send(2, new Command.TopUp(owner, 1, 7)));
    }

    @Test
    void aLateNodeIsOnlyLiftedWhereNoWholeMillisecondRemains() {
        hold();
        assertThat(answer(2, acquire, "silent", END - MILLISECOND + 1)).containsExactly(send(2, new Command.Lift(7)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"no", "silent"})
    void aNodeWhoseRaiseFailsAfterTheDecisionIsLifted(String answer) {
        Command raise = holdAgainstNodeZero();
        assertThat(answer(0, raise, answer, 0)).containsExactly(send(0, new Command.Lift(9)));
    }

    @Test
    void aNodeWhoseRaiseSucceedsAfterTheDecisionIsLeftAlone() {
        Command raise = holdAgainstNodeZero();
        assertThat(answer(0, raise, "yes", 0)).isEmpty();
    }

    /** What follows the decision where node 2 has given {@code answer}. */
    private List<Action> heldAfter(Answer answer) {
        Attempt held = new Attempt(3, owner, 1_000, 0, 0);
        held.on(new Event.Begin(), 0);
        held.on(new Event.Answered(2, acquire, answer), 0);
        held.on(new Event.Answered(0, acquire, new Answer.Granted(7)), 0);
        List<Action> actions = held.on(new Event.Answered(1, acquire, new Answer.Granted(7)), 0);
        assertThat(actions).first().isEqualTo(decide(new Verdict.Held(7, END, true)));
        return actions.subList(1, actions.size());
    }

    private void hold() {
        attempt.on(new Event.Begin(), 0);
        granted(0, 7);
        assertThat(granted(1, 7)).contains(decide(new Verdict.Held(7, END, true)));
    }

    /** The token is 9, and node 0 has not yet answered whether it can be raised from 7 to it. */
    private Command holdAgainstNodeZero() {
        Command raise = new Command.Raise(owner, 9);
        attempt.on(new Event.Begin(), 0);
        granted(0, 7);
        assertThat(granted(1, 9)).containsExactly(send(0, raise));
        assertThat(granted(2, 9)).containsExactly(decide(new Verdict.Held(9, END, false)));
        return raise;
    }

    private List<Action> granted(int node, long counter) {
        return attempt.on(new Event.Answered(node, acquire, new Answer.Granted(counter)), 0);
    }

    private List<Action> answer(int node, Command command, String kind, long now) {
        Answer answer = switch (kind) {
            case "yes" -> new Answer.Yes();
            case "no" -> new Answer.No();
            default -> failed(NodeFailure.Reason.TIMED_OUT);
        };
        return attempt.on(new Event.Answered(node, command, answer), now);
    }

    private static Answer failed(NodeFailure.Reason reason) {
        return new Answer.Failed(new NodeFailure(reason, "no answer"), true);
    }

    private static Action[] toAll(Command command) {
        return new Action[] {send(0, command), send(1, command), send(2, command)};
    }

    private static Action send(int node, Command command) {
        return new Action.Send(node, command);
    }

    private static Action decide(Verdict verdict) {
        return new Action.Decide(verdict);
    }
}
