package io.github.fencedwrite.examples.inventory.story;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LeaseListener;
import java.time.Duration;
import java.util.function.Consumer;

/** Tells of each lease that is acquired. */
final class Acquisitions implements LeaseListener {

    private final Consumer<String> tell;

    Acquisitions(Consumer<String> tell) {
        this.tell = tell;
    }

    @Override
    public void acquired(Lease lease, Duration took, boolean fast) {
        tell.accept("takes the lock \"" + lease.resource() + "\", token " + lease.token());
    }
}
