package io.github.fencedwrite.examples.inventory.story;

import static io.github.fencedwrite.examples.inventory.story.Scene.A;
import static io.github.fencedwrite.examples.inventory.story.Scene.B;

import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.examples.inventory.worker.Guard;
import io.github.fencedwrite.examples.inventory.worker.WorkerCommand;
import io.github.fencedwrite.examples.inventory.worker.WorkerEvent.Kind;
import java.util.List;

/**
 * A takes the lock, reads and is stopped; its lease runs out; B takes the lock, sells and writes; A goes on and
 * writes.
 */
public final class PausedHolder implements Story {

    @Override
    public List<Part> play(Scene scene, Guard guard) {
        StockKey stock = scene.newStock().apply(STOCK);
        scene.workers().send(A, WorkerCommand.sellAfterGo(stock, QUANTITY_OF_A, guard));
        scene.workers().await(A, Kind.READ);
        scene.workers().get(A).pause();
        try {
            scene.workers().get(A).send(WorkerCommand.go()); // found when it goes on
            scene.workers().send(B, WorkerCommand.sell(stock, QUANTITY_OF_B, guard, THINK_MILLIS));
            scene.workers().await(B, Kind.IDLE);
            scene.beat().run();
        } finally {
            scene.workers().get(A).resume();
        }
        scene.workers().await(A, Kind.IDLE);
        return List.of(new Part(guard, stock));
    }
}
