package io.github.fencedwrite.internal.memory;

import io.github.fencedwrite.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is to be told to applications as soon as no lock is held. */
final class Effects {

    private static final Logger log = LoggerFactory.getLogger(Effects.class);

    private final List<Runnable> all = new ArrayList<>();

    void add(Runnable effect) {
        all.add(effect);
    }

    void call(@Nullable Consumer<Lease> callback, Lease lease) {
        if (callback != null) {
            add(() -> callback.accept(lease));
        }
    }

    void run() {
        for (Runnable effect : all) {
            try {
                effect.run();
            } catch (RuntimeException | Error e) {
                log.warn("A callback of the application failed", e);
            }
        }
    }
}
