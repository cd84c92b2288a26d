package io.github.fencedwrite.examples.inventory.story;

import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.examples.inventory.worker.Guard;
import java.util.List;

/** Something that can happen to two holders of one lock. The workers are free when it begins, and when it ends. */
public interface Story {

    /** What each article has in stock when its part begins. */
    int STOCK = 10;

    /** What the holder that comes first sells. */
    int QUANTITY_OF_A = 1;

    /** What the holder that comes second sells. */
    int QUANTITY_OF_B = 3;

    /** How long the holder that comes second thinks, so that one can watch it. */
    long THINK_MILLIS = 700;

    /**
     * Plays it.
     *
     * @param guard whether the database knows of the leases; a story may choose its own
     * @return what was sold under which guard, one for each part
     */
    List<Part> play(Scene scene, Guard guard);

    /** A part of a story: which guard it was played with, and the article that was sold. */
    record Part(Guard guard, StockKey stock) {}
}
