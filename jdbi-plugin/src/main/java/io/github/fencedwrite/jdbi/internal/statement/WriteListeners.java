package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.jdbi.FencedTarget;
import io.github.fencedwrite.jdbi.WriteListener;
import io.github.fencedwrite.jdbi.WriteOutcome;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners, none of which can make a write fail: what one throws is logged. Safe for use by many threads. */
public final class WriteListeners {

    private static final Logger LOG = LoggerFactory.getLogger(WriteListener.class);

    private final List<WriteListener> listeners = new CopyOnWriteArrayList<>();

    /** Adds one, unless it is null. */
    public void add(@Nullable WriteListener listener) {
        if (listener != null) {
            listeners.add(listener);
        }
    }

    boolean isEmpty() {
        return listeners.isEmpty();
    }

    void finished(FencedTarget target, WriteOutcome outcome) {
        for (WriteListener listener : listeners) {
            try {
                listener.finished(target, outcome);
            } catch (RuntimeException | Error e) {
                LOG.warn("A listener failed on {} for {}", outcome, target, e);
            }
        }
    }
}
