package io.github.fencedwrite.examples.inventory.story;

import static io.github.fencedwrite.examples.inventory.story.Scene.A;
import static io.github.fencedwrite.examples.inventory.story.Scene.B;

import io.github.fencedwrite.examples.inventory.local.LocalNode;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.examples.inventory.worker.Guard;
import io.github.fencedwrite.examples.inventory.worker.WorkerCommand;
import io.github.fencedwrite.examples.inventory.worker.WorkerEvent.Kind;
import java.util.List;

/**
 * A holds the lock, and a majority of the nodes restarts without its data: it has forgotten the lock and its tokens.
 * The quarantine keeps these nodes from voting until A's lease has run out; then B gets the lock, with a greater
 * token all the same. A writes last.
 */
public final class NodeRestart implements Story {

    @Override
    public List<Part> play(Scene scene, Guard guard) {
        StockKey stock = scene.newStock().apply(STOCK);
        scene.workers().send(A, WorkerCommand.sellAfterGo(stock, QUANTITY_OF_A, guard));
        scene.workers().await(A, Kind.READ);
        int majority = scene.nodes().size() / 2 + 1;
        for (LocalNode node : scene.nodes().subList(0, majority)) {
            node.wipe();
            scene.tell(node.name(), "is back without its data");
        }
        scene.workers().send(B, WorkerCommand.sell(stock, QUANTITY_OF_B, guard, THINK_MILLIS));
        scene.workers().await(B, Kind.IDLE);
        scene.beat().run();
        scene.workers().send(A, WorkerCommand.go());
        scene.workers().await(A, Kind.IDLE);
        return List.of(new Part(guard, stock));
    }
}
