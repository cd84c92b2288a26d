package io.github.fencedwrite.examples.inventory.story;

import static io.github.fencedwrite.examples.inventory.story.Scene.A;
import static io.github.fencedwrite.examples.inventory.story.Scene.B;

import io.github.fencedwrite.examples.inventory.local.LocalNode;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.examples.inventory.worker.Guard;
import io.github.fencedwrite.examples.inventory.worker.WorkerCommand;
import io.github.fencedwrite.examples.inventory.worker.WorkerEvent.Kind;
import java.time.Duration;
import java.util.List;

/**
 * A holds the lock, and the clocks of a majority of the nodes jump ahead: they forget the lock early. B gets it while
 * A's lease is still valid, so both hold it at the same time. A writes last.
 */
public final class ClockJump implements Story {

    /** How far a clock jumps. */
    public static final Duration JUMP = Duration.ofSeconds(60);

    @Override
    public List<Part> play(Scene scene, Guard guard) {
        StockKey stock = scene.newStock().apply(STOCK);
        scene.workers().send(A, WorkerCommand.sellAfterGo(stock, QUANTITY_OF_A, guard));
        scene.workers().await(A, Kind.READ);
        scene.beat().run();
        int majority = scene.nodes().size() / 2 + 1;
        for (LocalNode node : scene.nodes().subList(0, majority)) {
            node.setClockAhead(node.clockAhead().plus(JUMP));
            scene.tell(node.name(), "has a clock that jumps ahead by " + JUMP.toSeconds() + " s");
        }
        scene.workers().send(B, WorkerCommand.sell(stock, QUANTITY_OF_B, guard, THINK_MILLIS));
        scene.workers().await(B, Kind.IDLE);
        scene.beat().run();
        scene.workers().send(A, WorkerCommand.go());
        scene.workers().await(A, Kind.IDLE);
        return List.of(new Part(guard, stock));
    }
}
