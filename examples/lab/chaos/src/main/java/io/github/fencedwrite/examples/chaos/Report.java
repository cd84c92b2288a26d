package io.github.fencedwrite.examples.chaos;

import io.github.fencedwrite.examples.chaos.history.Verdict;
import java.io.PrintStream;

/** Says how a run went. */
final class Report {

    private Report() {}

    static void print(String name, Round round, PrintStream out) {
        int faults =
                round.faults().values().stream().mapToInt(Integer::intValue).sum();
        Verdict verdict = round.verdict();
        out.println();
        out.println(name + ": " + verdict.operations() + " operations, " + faults + " faults");
        out.println("  faults: " + round.faults());
        out.println("  outcomes: " + round.outcomes());
        out.println("  no lock: " + round.locksNotHad());
        out.println("  " + numbers(verdict) + " token_regressions=" + verdict.tokenRegressions() + " faults="
                + verdict.faults().size());
    }

    static String lastLine(Round guarded, Round control) {
        return "CHAOS operations=" + guarded.verdict().operations() + " " + numbers(guarded.verdict())
                + " control_lost_updates=" + control.verdict().lostUpdates();
    }

    private static String numbers(Verdict verdict) {
        return "lost_updates=" + verdict.lostUpdates()
                + " token_inversions=" + verdict.tokenInversions()
                + " duplicate_tokens=" + verdict.duplicateTokens()
                + " unacknowledged_present=" + verdict.unacknowledgedPresent();
    }
}
