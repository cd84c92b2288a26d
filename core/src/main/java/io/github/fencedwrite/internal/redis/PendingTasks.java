package io.github.fencedwrite.internal.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is to be done when a node is up again: at most one task per resource, the latest, and for not too many resources,
 * the latest. Safe for use by many threads.
 */
final class PendingTasks {

    private static final int MOST = 2_000;

    private final Map<ResourceKeys, Runnable> tasks = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ResourceKeys, Runnable> eldest) {
            return size() > MOST;
        }
    };

    synchronized void put(ResourceKeys keys, Runnable task) {
        tasks.put(keys, task);
    }

    synchronized List<Runnable> takeAll() {
        List<Runnable> all = new ArrayList<>(tasks.values());
        tasks.clear();
        return all;
    }
}
