package io.github.fencedwrite.examples.chaos.worker;

import io.github.fencedwrite.examples.chaos.history.Intent;
import io.github.fencedwrite.examples.chaos.history.RowId;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;

/**
 * Pauses between reading and writing until somebody else has written the row: the holder whose lease ran out, at its worst
 * moment. What it writes then is lost upon somebody else unless it is refused, so that a run without guards loses updates for
 * certain.
 */
final class Straggling implements Pace {

    private static final Duration PATIENCE = Worker.TTL.multipliedBy(5);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    private final Jdbi jdbi;
    private final BooleanSupplier ends;
    private final Consumer<String> say;
    private boolean overtaken;

    Straggling(Jdbi jdbi, BooleanSupplier ends, Consumer<String> say) {
        this.jdbi = jdbi;
        this.ends = ends;
        this.say = say;
    }

    @Override
    public void think(RowId row, long version) {
        long begun = System.nanoTime();
        while (!overtaken && !ends.getAsBoolean() && System.nanoTime() - begun < PATIENCE.toNanos()) {
            try {
                Thread.sleep(LOOK_EVERY.toMillis()); // this pause is what the run is about
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            overtaken = look(row, version) != version;
        }
    }

    @Override
    public void ended() {
        if (overtaken) {
            say.accept(WorkerMain.OVERTAKEN);
        }
        overtaken = false;
    }

    /** Looks on another connection; what the thread's own transaction sees does not change. */
    private long look(RowId row, long lastSeen) {
        try (var handle = jdbi.open()) {
            return handle.select("SELECT version FROM " + row.table() + " WHERE id = ?", row.id())
                    .mapTo(Long.class)
                    .findOne()
                    .orElse(Intent.ABSENT);
        } catch (JdbiException e) {
            return lastSeen; // the nemesis was here
        }
    }
}
