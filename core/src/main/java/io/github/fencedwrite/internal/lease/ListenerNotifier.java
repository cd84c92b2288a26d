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
 * be lost to its holder nor the client's own threads come to harm by a listener. What happens in a step of the loop is told
 * on the thread for callbacks, in order.
 */
final class ListenerNotifier {

    private static final Logger log = LoggerFactory.getLogger(ListenerNotifier.class);

    private final LeaseListener listener;
    private final Executor own;
    private final Executor callbacks;

    /** Callbacks of leases run on {@code callbacks}, which is reached by way of {@code own}, since it may run them at once. */
    ListenerNotifier(LeaseListener listener, Executor own, Executor callbacks) {
        this.listener = listener;
        this.own = own;
        this.callbacks = callbacks;
    }

    /** On the caller's thread. */
    void acquired(Lease lease, long tookNanos, boolean fast) {
        guarded(() -> listener.acquired(lease, Duration.ofNanos(tookNanos), fast));
    }

    /** On the caller's thread. */
    void refused(LockNotAcquiredException why, long tookNanos) {
        guarded(() -> listener.refused(why, Duration.ofNanos(tookNanos)));
    }

    /** On the caller's thread. */
    void released(Lease lease, ReleaseResult result) {
        guarded(() -> listener.released(lease, result));
    }

    void extended(Lease lease) {
        own.execute(() -> guarded(() -> listener.extended(lease)));
    }

    void lost(Lease lease) {
        own.execute(() -> guarded(() -> listener.lost(lease)));
    }

    void abandoned(Lease lease) {
        own.execute(() -> guarded(() -> listener.abandoned(lease)));
    }

    /** Calls back on the application's executor. */
    void call(Consumer<Lease> callback, Lease lease) {
        Runnable call = () -> guarded(() -> callback.accept(lease));
        own.execute(own == callbacks ? call : () -> guarded(() -> callbacks.execute(call)));
    }

    private static void guarded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            log.warn("A listener or callback of the application failed", e);
        }
    }
}
