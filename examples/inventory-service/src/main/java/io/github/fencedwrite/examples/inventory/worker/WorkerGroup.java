package io.github.fencedwrite.examples.inventory.worker;

import io.github.fencedwrite.examples.inventory.worker.WorkerEvent.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Several workers by their names, and what they tell. One thread at a time may await events. */
public final class WorkerGroup implements AutoCloseable {

    private static final int LONGEST_WAIT_SECONDS = 60;

    private final Map<String, WorkerProcess> workers = new LinkedHashMap<>();
    private final Map<String, BlockingQueue<WorkerEvent>> events = new LinkedHashMap<>();

    private WorkerGroup() {}

    /**
     * Starts workers and returns when all of them take commands.
     *
     * @param listener gets all events, on threads of its own
     */
    public static WorkerGroup start(List<String> names, WorkerServers servers, Consumer<WorkerEvent> listener) {
        WorkerGroup group = new WorkerGroup();
        try {
            for (String name : names) {
                BlockingQueue<WorkerEvent> queue = new LinkedBlockingQueue<>();
                group.events.put(name, queue);
                group.workers.put(name, WorkerProcess.start(name, servers, event -> {
                    queue.add(event);
                    listener.accept(event);
                }));
            }
            group.workers.values().forEach(WorkerProcess::awaitReady);
            return group;
        } catch (RuntimeException e) {
            group.close();
            throw e;
        }
    }

    /** The names in the order in which they were started. */
    public List<String> names() {
        return List.copyOf(workers.keySet());
    }

    /**
     * Finds one worker.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    public WorkerProcess get(String name) {
        WorkerProcess worker = workers.get(name);
        if (worker == null) {
            throw new IllegalArgumentException("There is no worker " + name + ", only " + workers.keySet() + ".");
        }
        return worker;
    }

    /** Sends a command and forgets what the worker has told so far. */
    public void send(String name, WorkerCommand command) {
        queue(name).clear();
        get(name).send(command);
    }

    /**
     * Waits until a worker tells one of {@code kinds}; what it tells before is passed over.
     *
     * @throws IllegalStateException if it does not within a minute, or has finished without it
     */
    public WorkerEvent await(String name, Kind... kinds) {
        List<Kind> wanted = List.of(kinds);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_WAIT_SECONDS);
        String last = "nothing";
        try {
            while (true) {
                WorkerEvent event = queue(name).poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (event != null && wanted.contains(event.kind())) {
                    return event;
                } else if (event == null || event.kind() == Kind.IDLE) {
                    throw new IllegalStateException("Worker " + name + " did not come to " + wanted + ": it " + last);
                }
                last = event.text();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private BlockingQueue<WorkerEvent> queue(String name) {
        get(name);
        return events.getOrDefault(name, new LinkedBlockingQueue<>());
    }

    /** Ends all workers. */
    @Override
    public void close() {
        workers.values().forEach(WorkerProcess::close);
    }
}
