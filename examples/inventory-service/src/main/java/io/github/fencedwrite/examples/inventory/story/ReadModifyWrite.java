package io.github.fencedwrite.examples.inventory.story;

import static io.github.fencedwrite.examples.inventory.story.Scene.A;
import static io.github.fencedwrite.examples.inventory.story.Scene.B;

import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.examples.inventory.worker.Guard;
import io.github.fencedwrite.examples.inventory.worker.WorkerCommand;
import io.github.fencedwrite.examples.inventory.worker.WorkerEvent.Kind;
import java.util.List;

/**
 * Both holders read before either writes, and then they write in the order of their tokens: twice, with a guarded
 * write only and with a claim. Without the claim both writes are accepted, and the first one is lost.
 */
public final class ReadModifyWrite implements Story {

    @Override
    public List<Part> play(Scene scene, Guard ignored) {
        return List.of(play(scene, Guard.STATEMENT, "without a claim"), play(scene, Guard.CLAIM, "with a claim"));
    }

    private static Part play(Scene scene, Guard guard, String how) {
        StockKey stock = scene.newStock().apply(STOCK);
        scene.tell("", "both read, then both write, " + how);
        scene.workers().send(A, WorkerCommand.sellAfterGo(stock, QUANTITY_OF_A, guard));
        scene.workers().await(A, Kind.READ);
        scene.workers().get(A).pause();
        try {
            scene.workers().send(B, WorkerCommand.sellAfterGo(stock, QUANTITY_OF_B, guard));
            scene.workers().await(B, Kind.READ);
            scene.beat().run();
        } finally {
            scene.workers().get(A).resume();
        }
        scene.workers().send(A, WorkerCommand.go());
        scene.workers().await(A, Kind.IDLE);
        scene.beat().run();
        scene.workers().send(B, WorkerCommand.go());
        scene.workers().await(B, Kind.IDLE);
        scene.beat().run();
        return new Part(guard, stock);
    }
}
