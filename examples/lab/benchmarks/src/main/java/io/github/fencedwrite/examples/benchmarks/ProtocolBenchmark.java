package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.internal.protocol.Action;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Attempt;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.protocol.Event;
import io.github.fencedwrite.internal.protocol.OwnerId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** The state machine alone, without any node: acquire, mint and release. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ProtocolBenchmark {

    private static final OwnerId OWNER = new OwnerId("00112233445566778899aabbccddeeff");

    /** How many nodes answer. */
    @Param({"1", "3", "5"})
    public int nodes;

    /** All counters agree. */
    @Benchmark
    public void fastPath(Blackhole hole) {
        play(hole, false);
    }

    /** One of the first quorum stands below the others and is raised. */
    @Benchmark
    public void slowPath(Blackhole hole) {
        play(hole, true);
    }

    private void play(Blackhole hole, boolean oneIsBehind) {
        Attempt attempt = new Attempt(nodes, OWNER, 10_000, 0, 0);
        deliver(attempt, attempt.on(new Event.Begin(), 0), oneIsBehind, hole);
        deliver(attempt, attempt.on(new Event.Release(), 0), oneIsBehind, hole);
    }

    private static void deliver(Attempt attempt, List<Action> actions, boolean oneIsBehind, Blackhole hole) {
        for (Action action : actions) {
            if (action instanceof Action.Send send) {
                Answer answer = send.command() instanceof Command.Acquire
                        ? new Answer.Granted(oneIsBehind && send.node() == 0 ? 41 : 42)
                        : new Answer.Yes();
                deliver(
                        attempt,
                        attempt.on(new Event.Answered(send.node(), send.command(), answer), 0),
                        oneIsBehind,
                        hole);
            } else {
                hole.consume(action);
            }
        }
    }
}
