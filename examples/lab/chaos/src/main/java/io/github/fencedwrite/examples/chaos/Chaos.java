package io.github.fencedwrite.examples.chaos;

import io.github.fencedwrite.examples.servers.FakeTime;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;

/**
 * Plays two runs, guarded and, as a control, without guards, and says what was lost. Arguments: the seconds for which each run
 * lasts, and a seed, 0 for a new one. Ends with 0 if the guarded run kept every promise and the control shows that there was
 * something to lose; else with 1.
 */
public final class Chaos {

    private static final Duration LEAST = Duration.ofSeconds(1);

    private Chaos() {}

    /** Plays, prints and exits. */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length != 2) {
            System.err.println("Two arguments are needed: seconds and seed (0 for a new one)");
            System.exit(2);
        }
        Duration time = Duration.ofSeconds(Long.parseLong(args[0]));
        if (time.compareTo(LEAST) < 0) {
            System.err.println("At least one second is needed");
            System.exit(2);
        }
        boolean kept = run(Options.of(time, Long.parseLong(args[1])), System.out);
        System.exit(kept ? 0 : 1);
    }

    static boolean run(Options options, PrintStream out) throws IOException, InterruptedException {
        out.println("seed=" + options.seed() + ", twice " + options.time().toSeconds() + " s"
                + (FakeTime.library().isPresent() ? "" : ", without clock jumps: this machine has no libfaketime"));
        Round guarded = Round.play(options, true);
        Report.print("guarded", guarded, out);
        Round control = Round.play(options, false);
        Report.print("control", control, out);
        guarded.verdict().faults().forEach(fault -> out.println("FAULT " + fault));
        boolean kept = guarded.verdict().isClean();
        boolean telling = control.verdict().lostUpdates() > 0;
        if (!telling) {
            out.println("FAULT the control lost nothing, so this run shows nothing");
        }
        out.println(Report.lastLine(guarded, control));
        return kept && telling;
    }
}
