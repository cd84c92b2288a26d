package io.github.fencedwrite.examples.chaos.nemesis;

import static io.github.fencedwrite.examples.chaos.nemesis.FaultSource.millis;

import java.util.List;
import java.util.Random;
import java.util.Set;

/** What happens to workers: they are stopped, mostly for longer than a lease lasts, or killed. */
final class WorkerFaults implements FaultSource {

    private static final int KILLS_OF_TEN = 1;

    private final List<? extends Victim> workers;

    WorkerFaults(List<? extends Victim> workers) {
        this.workers = workers;
    }

    @Override
    public Fault draw(Random random) {
        int i = random.nextInt(workers.size());
        Victim worker = workers.get(i);
        Set<String> target = Set.of("worker-" + i);
        return random.nextInt(10) < KILLS_OF_TEN
                ? new Fault("kill worker", target, Set.of(), millis(random, 0, 500), worker::kill, worker::startAgain)
                : new Fault("stop worker", target, Set.of(), millis(random, 100, 3_000), worker::stop, worker::goOn);
    }
}
