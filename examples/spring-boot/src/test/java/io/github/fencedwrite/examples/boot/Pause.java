package io.github.fencedwrite.examples.boot;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** An approval that stops requests for the given quantity until the test lets them go on, and approves everything. */
final class Pause implements Approval {

    private final int quantityThatStops;
    private final Semaphore stopped = new Semaphore(0);
    private final Semaphore goOn = new Semaphore(0);

    Pause(int quantityThatStops) {
        this.quantityThatStops = quantityThatStops;
    }

    @Override
    public boolean approves(Product product, int quantity) {
        if (quantity == quantityThatStops) {
            stopped.release();
            await(goOn);
        }
        return true;
    }

    void awaitRequest() {
        await(stopped);
    }

    void goOn() {
        goOn.release();
    }

    private static void await(Semaphore semaphore) {
        try {
            if (!semaphore.tryAcquire(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nothing happened for a minute");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted, as by a shutdown that is not graceful", e);
        }
    }
}
