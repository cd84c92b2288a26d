package io.github.fencedwrite.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.ReleaseResult;
import io.github.fencedwrite.internal.protocol.Verdict.Refusal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of an acquisition one by one, on three nodes, answer by answer. Time is in milliseconds. */
class AttemptTest {

    private static final long TTL = 1_000;
    private static final long DRIFT = 12;
    private static final long SEED = 100;

    private final OwnerId owner = new OwnerId("owner");
    private final Command acquire = new Command.Acquire(owner, TTL, SEED);
    private final Attempt attempt = new Attempt(3, owner, TTL, nanos(DRIFT), SEED);

    @Test
    void allNodesAreAskedAtOnceAndWithOneSeed() {
        assertThat(begin()).containsExactly(send(0, acquire), send(1, acquire), send(2, acquire));
    }

    @Test
    void aQuorumThatAcceptsTheGreatestCounterIsOneRoundTrip() {
        begin();
        assertThat(answer(0, acquire, granted(7))).isEmpty();
        assertThat(answer(1, acquire, granted(7))).containsExactly(decide(new Verdict.Held(7, nanos(988), true)));
    }

    @Test
    void validityIsTtlMinusElapsedMinusDrift() {
        attempt.on(new Event.Begin(), nanos(5_000));
        attempt.on(new Event.Answered(0, acquire, granted(7)), nanos(5_300));
        assertThat(attempt.on(new Event.Answered(1, acquire, granted(7)), nanos(5_400)))
                .containsExactly(decide(new Verdict.Held(7, nanos(5_000 + TTL - DRIFT), true)));
    }

    @Test
    void nothingIsHeldWhenNoValidityIsLeft() {
        begin();
        answer(0, acquire, granted(7));
        assertThat(attempt.on(new Event.Answered(1, acquire, granted(7)), nanos(TTL - DRIFT)))
                .containsExactly(
                        send(0, new Command.Release(owner)),
                        send(1, new Command.Release(owner)),
                        send(2, new Command.Release(owner)),
                        decide(refused(Refusal.TOO_SLOW)));
    }

    @Test
    void nodesBelowTheGreatestCounterAreRaisedAndAYesCountsAsAccepted() {
        begin();
        answer(0, acquire, granted(7));
        Command raise = new Command.Raise(owner, 9);
        assertThat(answer(1, acquire, granted(9))).containsExactly(send(0, raise));
        assertThat(answer(0, raise, new Answer.Yes())).containsExactly(decide(new Verdict.Held(9, nanos(988), false)));
    }

    @Test
    void aLateGrantThatEqualsTheTokenCountsAsAccepted() {
        begin();
        answer(0, acquire, granted(7));
        answer(1, acquire, granted(9));
        assertThat(answer(2, acquire, granted(9))).contains(decide(new Verdict.Held(9, nanos(988), false)));
    }

    @Test
    void aLaterHigherGrantDoesNotReopenTheToken() {
        begin();
        answer(0, acquire, granted(7));
        answer(1, acquire, granted(9));
        assertThat(answer(2, acquire, granted(12))).isEmpty();
        assertThat(answer(0, new Command.Raise(owner, 9), new Answer.Yes()))
                .contains(decide(new Verdict.Held(9, nanos(988), false)));
    }

    @Test
    void withoutAQuorumOfAcceptancesEverythingIsReleasedAndTheAttemptOutvoted() {
        begin();
        answer(0, acquire, granted(7));
        answer(1, acquire, granted(9));
        answer(2, acquire, new Answer.Busy(50));
        assertThat(answer(0, new Command.Raise(owner, 9), new Answer.No()))
                .containsExactly(
                        send(0, new Command.Release(owner)),
                        send(1, new Command.Release(owner)),
                        decide(new Verdict.Refused(Refusal.OUTVOTED, 50)));
    }

    @Test
    void aRaiseIsAskedOnceSoThatALostReplyNeverCountsAsAccepted() {
        begin();
        answer(0, acquire, granted(7));
        answer(1, acquire, granted(9));
        assertThat(answer(0, new Command.Raise(owner, 9), failed(true))).isEmpty();
        assertThat(answer(2, acquire, failed(false)))
                .containsExactly(
                        send(0, new Command.Release(owner)),
                        send(1, new Command.Release(owner)),
                        decide(refused(Refusal.NO_QUORUM)));
    }

    @Test
    void contendedIsDecidedAsSoonAsAQuorumIsBusyWithoutWaitingForTheRest() {
        begin();
        answer(0, acquire, new Answer.Busy(80));
        assertThat(answer(1, acquire, new Answer.Busy(60)))
                .containsExactly(
                        send(2, new Command.Release(owner)), decide(new Verdict.Refused(Refusal.CONTENDED, 60)));
    }

    @Test
    void grantedAndBusyTogetherMakeContended() {
        begin();
        answer(0, acquire, granted(7));
        answer(1, acquire, failed(false));
        assertThat(answer(2, acquire, new Answer.Busy(60)))
                .containsExactly(
                        send(0, new Command.Release(owner)), decide(new Verdict.Refused(Refusal.CONTENDED, 60)));
    }

    @Test
    void tooFewWorkingNodesAreNoQuorumAsSoonAsThatIsCertain() {
        begin();
        answer(0, acquire, failed(true));
        assertThat(answer(1, acquire, failed(false)))
                .containsExactly(
                        send(0, new Command.Release(owner)),
                        send(2, new Command.Release(owner)),
                        decide(refused(Refusal.NO_QUORUM)));
    }

    @Test
    void nothingIsRefusedWhileAQuorumCanStillGrant() {
        begin();
        assertThat(answer(0, acquire, new Answer.Busy(60))).isEmpty();
        assertThat(answer(1, acquire, granted(7))).isEmpty();
        assertThat(answer(2, acquire, granted(7))).contains(decide(new Verdict.Held(7, nanos(988), true)));
    }

    @Test
    void betweenContendedAndNoQuorumTheLastAnswerDecides() {
        begin();
        answer(0, acquire, new Answer.Busy(60));
        assertThat(answer(1, acquire, failed(false))).isEmpty();
        assertThat(answer(2, acquire, new Answer.Busy(80)))
                .containsExactly(decide(new Verdict.Refused(Refusal.CONTENDED, 60)));

        Attempt other = new Attempt(3, owner, TTL, nanos(DRIFT), SEED);
        other.on(new Event.Begin(), 0);
        other.on(new Event.Answered(0, acquire, new Answer.Busy(60)), 0);
        other.on(new Event.Answered(1, acquire, failed(false)), 0);
        assertThat(other.on(new Event.Answered(2, acquire, failed(false)), 0))
                .containsExactly(decide(new Verdict.Refused(Refusal.NO_QUORUM, 60)));
    }

    @ParameterizedTest
    @CsvSource({"80, 60, 60", "60, 80, 60", "60, 60, 60", "60, -1, 60", "0, 60, 60", "60, 0, 60", "-1, 0, 0"})
    void aRetryIsDueWhenTheFirstKeyRunsOutThatDoes(long one, long other, long retryAfter) {
        begin();
        answer(0, acquire, new Answer.Busy(one));
        assertThat(answer(1, acquire, new Answer.Busy(other)))
                .contains(decide(new Verdict.Refused(Refusal.CONTENDED, retryAfter)));
    }

    @Test
    void aCallerThatGivesUpLeavesNothingBehind() {
        for (Event event : List.of(new Event.GiveUp(), new Event.Release())) {
            Attempt given = new Attempt(3, owner, TTL, nanos(DRIFT), SEED);
            given.on(new Event.Begin(), 0);
            given.on(new Event.Answered(0, acquire, granted(7)), 0);
            given.on(new Event.Answered(1, acquire, failed(false)), 0);
            assertThat(given.on(event, 0))
                    .containsExactly(
                            send(0, new Command.Release(owner)),
                            send(2, new Command.Release(owner)),
                            decide(refused(Refusal.GIVEN_UP)));
            assertThat(given.on(event, 0)).isEmpty();
        }
    }

    @Test
    void timeAloneEndsAnAttemptWhenNoValidityIsLeft() {
        begin();
        assertThat(attempt.on(new Event.Tick(), nanos(TTL - DRIFT) - 1)).isEmpty();
        assertThat(attempt.on(new Event.Tick(), nanos(TTL - DRIFT))).contains(decide(refused(Refusal.TOO_SLOW)));
    }

    @Test
    void isDescribedByAllThatItKnows() {
        begin();
        answer(0, acquire, granted(7));
        assertThat(attempt.describe(0)).isEqualTo("Granted[counter=7]7");
        assertThat(attempt.describe(1)).isEqualTo("null?0");
        assertThat(attempt.describe()).isEqualTo("open0");
        answer(1, acquire, granted(7));
        assertThat(attempt.describe()).isEqualTo("held7");

        Attempt other = new Attempt(3, owner, TTL, nanos(DRIFT), SEED);
        other.on(new Event.Begin(), 0);
        other.on(new Event.GiveUp(), 0);
        assertThat(other.describe()).isEqualTo("refused0");
    }

    @Test
    void anExtensionCountsOnlyIfItsQuorumIsCompleteBeforeTheOldValidityEnds() {
        hold();
        Command extend = new Command.Extend(owner, TTL, 1);
        attempt.on(new Event.Extend(), nanos(500));
        attempt.on(new Event.Answered(0, extend, new Answer.Yes()), nanos(600));
        assertThat(attempt.on(new Event.Answered(1, extend, new Answer.Yes()), nanos(TTL - DRIFT)))
                .containsExactly(decide(new Verdict.Lost()));
        assertThat(attempt.on(new Event.Extend(), nanos(TTL))).containsExactly(decide(new Verdict.Lost()));
    }

    @Test
    void anExtensionReachesFromWhenItWasAsked() {
        hold();
        Command extend = new Command.Extend(owner, TTL, 1);
        attempt.on(new Event.Extend(), nanos(500));
        attempt.on(new Event.Answered(0, extend, new Answer.Yes()), nanos(600));
        assertThat(attempt.on(new Event.Answered(1, extend, new Answer.Yes()), nanos(700)))
                .containsExactly(decide(new Verdict.Extended(nanos(500 + TTL - DRIFT))));
    }

    @Test
    void aNodeThatLostTheLockIsToppedUpAndDoesNotCountForThisExtension() {
        hold();
        Command extend = new Command.Extend(owner, TTL, 1);
        attempt.on(new Event.Extend(), nanos(500));
        Command topUp = new Command.TopUp(owner, 488, 7);
        assertThat(attempt.on(new Event.Answered(0, extend, new Answer.No()), nanos(500)))
                .containsExactly(send(0, topUp));
        assertThat(attempt.on(new Event.Answered(0, topUp, new Answer.Yes()), nanos(501)))
                .isEmpty();
        assertThat(attempt.on(new Event.Answered(1, extend, new Answer.Yes()), nanos(502)))
                .isEmpty();
        assertThat(attempt.on(new Event.Answered(2, extend, failed(true)), nanos(503)))
                .containsExactly(decide(new Verdict.NotExtended()));
    }

    @Test
    void aReleaseGoesToAllNodesAndIsDecidedAtQuorum() {
        hold();
        Command release = new Command.Release(owner);
        assertThat(attempt.on(new Event.Release(), nanos(10)))
                .containsExactly(send(0, release), send(1, release), send(2, release));
        answer(2, release, new Answer.Yes());
        assertThat(answer(0, release, new Answer.Yes()))
                .containsExactly(decide(new Verdict.Released(ReleaseResult.RELEASED)));
    }

    private List<Action> begin() {
        return attempt.on(new Event.Begin(), 0);
    }

    private void hold() {
        begin();
        answer(0, acquire, granted(7));
        answer(1, acquire, granted(7));
        answer(2, acquire, granted(7));
    }

    private List<Action> answer(int node, Command command, Answer answer) {
        return attempt.on(new Event.Answered(node, command, answer), 0);
    }

    private static Answer granted(long counter) {
        return new Answer.Granted(counter);
    }

    private static Answer failed(boolean mayHaveRun) {
        return new Answer.Failed(new NodeFailure(NodeFailure.Reason.TIMED_OUT, "silent"), mayHaveRun);
    }

    private static Verdict refused(Refusal reason) {
        return new Verdict.Refused(reason, 0);
    }

    private static Action send(int node, Command command) {
        return new Action.Send(node, command);
    }

    private static Action decide(Verdict verdict) {
        return new Action.Decide(verdict);
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
