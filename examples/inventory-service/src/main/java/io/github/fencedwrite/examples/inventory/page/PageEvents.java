package io.github.fencedwrite.examples.inventory.page;

import io.javalin.http.sse.SseClient;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Sends what happens to all open pages, in one order, and what happened lately to those that open later. Thread safe.
 */
final class PageEvents implements AutoCloseable {

    private static final int KEPT = 400;
    private static final int PING_SECONDS = 10;

    private final List<SseClient> clients = new CopyOnWriteArrayList<>();
    private final Deque<Event> latest = new ArrayDeque<>();
    // one thread sends: no page that reads slowly can hold up what is shown, or change its order
    private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "page-events");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Something that happened.
     *
     * @param data what becomes JSON
     */
    record Event(String type, Object data) {}

    PageEvents() {
        var unused = sender.scheduleWithFixedDelay(this::ping, PING_SECONDS, PING_SECONDS, TimeUnit.SECONDS);
    }

    /** Adds a page, which gets the state first, with all that was sent lately. */
    void add(SseClient client, Supplier<Map<String, Object>> state) {
        client.keepAlive();
        client.onClose(() -> clients.remove(client));
        sender.execute(() -> {
            Map<String, Object> snapshot = state.get();
            snapshot.put("history", new ArrayList<>(latest));
            client.sendEvent("snapshot", snapshot);
            clients.add(client);
        });
    }

    void send(String type, Object data) {
        if (sender.isShutdown()) {
            return; // the last words of processes that are ended with this one
        }
        sender.execute(() -> {
            latest.addLast(new Event(type, data));
            if (latest.size() > KEPT) {
                latest.removeFirst();
            }
            clients.forEach(client -> client.sendEvent(type, data));
        });
    }

    private void ping() {
        clients.forEach(client -> client.sendComment("ping"));
    }

    @Override
    public void close() {
        sender.shutdown();
        clients.forEach(SseClient::close);
    }
}
