package io.github.fencedwrite.examples.chaos.history;

import static io.github.fencedwrite.examples.chaos.history.Story.STOCK;
import static io.github.fencedwrite.examples.chaos.history.Story.meant;
import static io.github.fencedwrite.examples.chaos.history.Told.ACKNOWLEDGED;
import static io.github.fencedwrite.examples.chaos.history.Told.REFUSED;
import static io.github.fencedwrite.examples.chaos.history.Told.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Each kind of violation, in a history of two holders A and B that is otherwise as it should be. */
class CheckerTest {

    private static final RowId ITEM = new RowId("item", "1");
    private static final RowId SLOT = new RowId("reservation", "1.1");
    private static final State FIRST = new State(1, 10);

    @Test
    void findsNothingWrongWithTwoHoldersInOrder() {
        Verdict verdict = new Story()
                .operation("a", 33, ACKNOWLEDGED, meant(STOCK, 1, -1))
                .write("a", 33, STOCK, FIRST, FIRST) // its claim
                .write("a", 33, STOCK, FIRST, new State(2, 9))
                .operation("b", 34, ACKNOWLEDGED, meant(STOCK, 2, -3))
                .write("b", 34, STOCK, new State(2, 9), new State(3, 6))
                .verdict();

        assertThat(verdict).isEqualTo(new Verdict(2, 0, 0, 0, 0, 0, List.of()));
        assertThat(verdict.isClean()).isTrue();
    }

    @Test
    void findsALostUpdate() {
        Verdict verdict = new Story()
                .operation("a", 33, ACKNOWLEDGED, meant(STOCK, 1, -1))
                .operation("b", 34, ACKNOWLEDGED, meant(STOCK, 1, -3))
                .write("a", 33, STOCK, FIRST, new State(2, 9))
                .write("b", 34, STOCK, new State(2, 9), new State(2, 7))
                .verdict();

        assertThat(verdict.lostUpdates()).isEqualTo(1);
        assertThat(verdict.faults()).anyMatch(fault -> fault.startsWith("an update was lost by "));
        assertThat(verdict.isClean()).isFalse();
    }

    @Test
    void findsAnUpdateLostThoughTheValueWentBackToWhatWasRead() {
        Verdict verdict = new Story()
                .operation("a", 33, ACKNOWLEDGED, meant(STOCK, 1, 2))
                .operation("b", 34, ACKNOWLEDGED, meant(STOCK, 2, -2))
                .operation("c", 35, ACKNOWLEDGED, meant(STOCK, 1, -1))
                .write("a", 33, STOCK, FIRST, new State(2, 12))
                .write("b", 34, STOCK, new State(2, 12), new State(3, 10))
                .write("c", 35, STOCK, new State(3, 10), new State(2, 9))
                .verdict();

        assertThat(verdict.lostUpdates()).isEqualTo(1);
        assertThat(verdict.isClean()).isFalse();
    }

    @Test
    void findsALowerTokenAfterAHigherOne() {
        Verdict verdict = new Story()
                .operation("a", 33, ACKNOWLEDGED, meant(STOCK, Intent.ANY, -1))
                .operation("b", 34, ACKNOWLEDGED, meant(STOCK, Intent.ANY, -3))
                .write("b", 34, STOCK, FIRST, new State(2, 7))
                .write("a", 33, STOCK, new State(2, 7), new State(3, 6))
                .verdict();

        assertThat(verdict.tokenInversions()).isEqualTo(1);
        assertThat(verdict.faults()).singleElement().asString().startsWith("a lower token after 34: ");
        assertThat(verdict.isClean()).isFalse();
    }

    @Test
    void findsALowerTokenThatClaimsAfterAHigherOne() {
        Verdict verdict = new Story()
                .operation("a", 33, REFUSED)
                .operation("b", 34, REFUSED)
                .write("b", 34, STOCK, FIRST, FIRST)
                .write("a", 33, STOCK, FIRST, FIRST)
                .verdict();

        assertThat(verdict.tokenInversions()).isEqualTo(1);
        assertThat(verdict.isClean()).isFalse();
    }

    @Test
    void findsALowerTokenThatInsertsWhatAHigherOneDeleted() {
        Verdict verdict = new Story()
                .operation("a", 33, ACKNOWLEDGED, meant(SLOT, Intent.ABSENT, 3))
                .operation("b", 34, ACKNOWLEDGED, meant(STOCK, 1, -10))
                .write("b", 34, STOCK, FIRST, null)
                .write("a", 33, STOCK, null, new State(1, 3))
                .verdict();

        assertThat(verdict.tokenInversions()).isEqualTo(1);
    }

    @Test
    void findsATokenGivenTwice() {
        Verdict verdict = new Story()
                .operation("a", 33, REFUSED)
                .operation("b", 33, REFUSED)
                .verdict();

        assertThat(verdict.duplicateTokens()).isEqualTo(1);
        assertThat(verdict.faults()).singleElement().asString().startsWith("a token was given twice: ");
        assertThat(verdict.isClean()).isFalse();
    }

    @Test
    void countsATokenBelowOneThatWasCompleteBefore() {
        Verdict later = new Story()
                .acquired("a", 34, 10, 15, REFUSED)
                .acquired("b", 33, 20, 25, REFUSED)
                .verdict();
        Verdict atTheSameTime = new Story()
                .acquired("a", 34, 10, 15, REFUSED)
                .acquired("b", 33, 12, 25, REFUSED)
                .verdict();

        assertThat(later.tokenRegressions()).isEqualTo(1);
        assertThat(atTheSameTime.tokenRegressions()).isZero();
    }

    @Test
    void findsAnAcknowledgedWriteThatIsAbsent() {
        Verdict verdict = new Story()
                .operation("a", 33, ACKNOWLEDGED, meant(STOCK, 1, -1))
                .verdict();

        assertThat(verdict.faults())
                .anyMatch(fault -> fault.startsWith("acknowledged, but not there"))
                .anyMatch(fault -> fault.contains("total of stock is 10 and should be 9"));
        assertThat(verdict.isClean()).isFalse();
    }

    @Test
    void findsAnAcknowledgedTransactionOfWhichHalfIsAbsent() {
        Verdict verdict = new Story()
                .operation("a", 33, ACKNOWLEDGED, meant(STOCK, 1, -3), meant(SLOT, Intent.ABSENT, 3))
                .write("a", 33, STOCK, FIRST, new State(2, 7))
                .verdict("stock", "reservation");

        assertThat(verdict.faults())
                .anyMatch(fault -> fault.startsWith("acknowledged, but not there"))
                .anyMatch(fault -> fault.contains("the book [reservation, stock] began with 10 and ends with 7"));
    }

    @Test
    void findsARefusedWriteThatIsPresent() {
        Verdict verdict = new Story()
                .operation("a", 33, REFUSED, meant(STOCK, 1, -1))
                .write("a", 33, STOCK, FIRST, new State(2, 9))
                .verdict();

        assertThat(verdict.faults()).anyMatch(fault -> fault.startsWith("refused, but there"));
    }

    @Test
    void acceptsTheClaimOfARefusedWrite() {
        Verdict verdict = new Story()
                .operation("a", 33, REFUSED, meant(STOCK, 1, -1))
                .write("a", 33, STOCK, FIRST, FIRST)
                .verdict();

        assertThat(verdict.isClean()).isTrue();
    }

    @Test
    void countsUnknownOutcomesThatArePresent() {
        Verdict verdict = new Story()
                .operation("a", 33, UNKNOWN, meant(STOCK, 1, -1))
                .operation("b", 34, UNKNOWN, meant(STOCK, 2, -1))
                .write("a", 33, STOCK, FIRST, new State(2, 9))
                .verdict();

        assertThat(verdict).isEqualTo(new Verdict(2, 0, 0, 0, 1, 0, List.of()));
        assertThat(verdict.isClean()).isTrue();
    }

    @Test
    void findsHalfOfAnUnknownTransaction() {
        Verdict verdict = new Story()
                .operation("a", 33, UNKNOWN, meant(STOCK, 1, -3), meant(SLOT, Intent.ABSENT, 3))
                .write("a", 33, STOCK, FIRST, new State(2, 7))
                .verdict();

        assertThat(verdict.faults()).anyMatch(fault -> fault.startsWith("unknown, and there in part"));
    }

    @Test
    void findsWorkThatWasDoneTwice() {
        Verdict verdict = new Story()
                .repeated("a", 33, ACKNOWLEDGED, List.of(meant(STOCK, 1, -1)), List.of(meant(STOCK, 2, -1)))
                .writeIn("x1", "a", 33, STOCK, FIRST, new State(2, 9))
                .writeIn("x2", "a", 33, STOCK, new State(2, 9), new State(3, 8))
                .verdict();

        assertThat(verdict.faults()).anyMatch(fault -> fault.startsWith("acknowledged, but not there as it was"));
    }

    @Test
    void findsOneOperationInTwoTransactions() {
        Verdict verdict = new Story()
                .operation("a", 33, ACKNOWLEDGED, meant(STOCK, 1, -3), meant(SLOT, Intent.ABSENT, 3))
                .writeIn("x1", "a", 33, STOCK, FIRST, new State(2, 7))
                .writeIn("x2", "a", 33, SLOT, null, new State(1, 3))
                .verdict();

        assertThat(verdict.faults()).anyMatch(fault -> fault.startsWith("acknowledged, but not there as it was"));
    }

    @Test
    void findsAWriteOfNobody() {
        Verdict verdict =
                new Story().write("", 0, STOCK, FIRST, new State(2, 9)).verdict();

        assertThat(verdict.faults()).anyMatch(fault -> fault.contains("written by nobody"));
    }

    @Test
    void findsAWriteThatCarriesAnotherToken() {
        Verdict verdict = new Story()
                .operation("a", 33, ACKNOWLEDGED, meant(STOCK, 1, -1))
                .write("a", 0, STOCK, FIRST, new State(2, 9))
                .verdict();

        assertThat(verdict.faults()).singleElement().asString().contains("with another token than its writer's");
    }

    @Test
    void findsAWriteThatNobodyMeant() {
        Verdict verdict = new Story()
                .operation("a", 33, ACKNOWLEDGED, meant(STOCK, 1, -1))
                .write("a", 33, STOCK, FIRST, new State(2, 5))
                .verdict();

        assertThat(verdict.lostUpdates()).isEqualTo(1);
        assertThat(verdict.faults()).isNotEmpty();
    }

    @Test
    void findsAChangeThatLeftNoTrace() {
        Story story = new Story()
                .operation("a", 33, ACKNOWLEDGED, meant(STOCK, 2, -1))
                .write("a", 33, STOCK, new State(2, 12), new State(3, 11));
        assertThat(story.verdict().faults()).anyMatch(fault -> fault.contains("changed without a trace"));

        Story atTheEnd = new Story();
        atTheEnd.end.put(ITEM, new State(1, 1));
        assertThat(atTheEnd.verdict().faults())
                .anyMatch(fault -> fault.contains("not what was written last"))
                .anyMatch(fault -> fault.contains("total of item is 1 and should be 0"));
    }
}
