package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LeaseListener;
import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.ReleaseResult;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the application what happened, and survives whatever the application does then, errors included: neither may a lease
 * be lost to its holder nor the client's own threads come to harm by a listener.
 */
final class Announcer {

    private static final Logger log = LoggerFactory.getLogger(Announcer.class);

    private final LeaseListener listener;
    private final Executor callbacks;

    Announcer(LeaseListener listener, Executor callbacks) {
        this.listener = listener;
        this.callbacks = callbacks;
    }

    void acquired(Lease lease, long tookNanos, boolean fast) {
        guarded(() -> listener.acquired(lease, Duration.ofNanos(tookNanos), fast));
    }

    void refused(LockNotAcquiredException why, long tookNanos) {
        guarded(() -> listener.refused(why, Duration.ofNanos(tookNanos)));
    }

    void extended(Lease lease) {
        guarded(() -> listener.extended(lease));
    }

    void lost(Lease lease) {
        guarded(() -> listener.lost(lease));
    }

    void abandoned(Lease lease) {
        guarded(() -> listener.abandoned(lease));
    }

    void released(Lease lease, ReleaseResult result) {
        guarded(() -> listener.released(lease, result));
    }

    /** Calls back on the application's executor. */
    void call(Consumer<Lease> callback, Lease lease) {
        guarded(() -> callbacks.execute(() -> guarded(() -> callback.accept(lease))));
    }

    private static void guarded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            log.warn("A listener or callback of the application failed", e);
        }
    }
}
