package io.github.fencedwrite.examples.inventory.page;

import io.github.fencedwrite.examples.inventory.InventoryApplication;
import io.github.fencedwrite.examples.inventory.local.LocalNode;
import io.github.fencedwrite.examples.inventory.local.LocalServers;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.examples.inventory.story.Scene;
import io.github.fencedwrite.examples.inventory.story.Story;
import io.github.fencedwrite.examples.inventory.story.StoryDatabase;
import io.github.fencedwrite.examples.inventory.worker.Guard;
import io.github.fencedwrite.examples.inventory.worker.Ledger.Numbers;
import io.github.fencedwrite.examples.inventory.worker.WorkerCommand;
import io.github.fencedwrite.examples.inventory.worker.WorkerEvent;
import io.github.fencedwrite.examples.inventory.worker.WorkerEvent.Kind;
import io.github.fencedwrite.examples.inventory.worker.WorkerGroup;
import io.github.fencedwrite.examples.inventory.worker.WorkerProcess;
import io.github.fencedwrite.examples.inventory.worker.WorkerServers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything that can be done on the page, and what comes of it. Thread safe. */
final class Playground implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Playground.class);
    private static final List<String> WORKERS = List.of(Scene.A, Scene.B);
    private static final Duration LOCK_WAIT = Duration.ofSeconds(30);
    private static final long THINK_MILLIS = 2_500;
    private static final long POLL_MILLIS = 50;
    private static final long BEAT_MILLIS = 900;
    private static final Duration LONGEST_QUARANTINE = Duration.ofSeconds(30);

    private final LocalServers servers;
    private final Duration leaseTtl;
    private final StoryDatabase database;
    private final PageEvents events = new PageEvents();
    private final NodeWatch nodeWatch;
    private final WorkerGroup workers;
    private final Results results;
    private final ExecutorService stories = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "stories");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicReference<@Nullable StoryKind> running = new AtomicReference<>();
    private volatile StockKey stock;

    Playground(LocalServers servers, Duration leaseTtl) {
        this.servers = servers;
        this.leaseTtl = leaseTtl;
        this.database =
                new StoryDatabase(InventoryApplication.jdbi(servers.database().dataSource()));
        this.results = new Results(database.ledger(), events);
        this.stock = database.newStock(Story.STOCK);
        this.nodeWatch = new NodeWatch(servers.nodes(), leaseTtl, () -> stock.resource(), events);
        this.workers = WorkerGroup.start(WORKERS, workerServers(), this::happened);
    }

    private WorkerServers workerServers() {
        return new WorkerServers(
                servers.nodes().stream().map(LocalNode::uri).toList(),
                servers.databaseAddress(),
                leaseTtl,
                LOCK_WAIT,
                true);
    }

    private void happened(WorkerEvent event) {
        events.send("worker", event);
        if (event.kind() == Kind.IDLE) {
            results.update();
        }
    }

    PageEvents events() {
        return events;
    }

    /** What a page needs to know before anything else. */
    Map<String, Object> state() {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("now", System.currentTimeMillis());
        state.put("leaseMillis", leaseTtl.toMillis());
        state.put("workers", WORKERS.stream().map(this::view).toList());
        StoryKind kind = running.get();
        state.put("story", kind == null ? "" : kind.id());
        state.put("clocks", servers.nodes().stream().allMatch(LocalNode::hasClock));
        state.put("results", results.all());
        return state;
    }

    /** How a worker is. */
    record WorkerView(long at, String name, long pid, boolean paused) {}

    private WorkerView view(String name) {
        WorkerProcess worker = workers.get(name);
        return new WorkerView(System.currentTimeMillis(), name, worker.pid(), worker.isPaused());
    }

    private void tell(String who, String what) {
        events.send("note", new Note(System.currentTimeMillis(), who, what));
    }

    /** Something that was done, for people. */
    record Note(long at, String who, String what) {}

    /** Starts a reservation by hand, of one piece of the present article. */
    void reserve(String worker, Guard guard) {
        requireNoStory();
        if (!results.isByHand(stock) || database.ledger().numbers(stock).inStock() == 0) {
            stock = database.newStock(Story.STOCK);
        }
        results.add("by-hand", guard, stock);
        workers.send(worker, WorkerCommand.sell(stock, 1, guard, THINK_MILLIS));
    }

    void pause(String worker) {
        requireNoStory();
        workers.get(worker).pause();
    }

    void resume(String worker) {
        requireNoStory();
        workers.get(worker).resume();
    }

    void change(LocalNode node, NodeAction action) {
        requireNoStory();
        action.apply(node);
        tell(node.name(), action.done());
    }

    LocalNode node(String name) {
        return servers.nodes().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no node " + name + "."));
    }

    private void requireNoStory() {
        if (running.get() != null) {
            throw new IllegalStateException("A story is being played. Wait for its end.");
        }
    }

    /** Begins to play a story. */
    void play(StoryKind kind, Guard guard) {
        if (!running.compareAndSet(null, kind)) {
            requireNoStory();
        }
        events.send("story", new StoryState(System.currentTimeMillis(), kind.id()));
        stories.execute(() -> {
            try {
                prepare();
                playNow(kind, guard);
            } catch (RuntimeException e) {
                log.warn("The story {} was not played to its end", kind.id(), e);
                tell("", "The story was not played to its end: " + e.getMessage());
                WORKERS.forEach(name -> workers.get(name).resume());
                WORKERS.forEach(name -> workers.get(name).send(WorkerCommand.go()));
            } finally {
                running.set(null);
                events.send("story", new StoryState(System.currentTimeMillis(), ""));
            }
        });
    }

    /** Which story is being played, empty for none. */
    record StoryState(long at, String id) {}

    private void prepare() {
        WORKERS.forEach(name -> workers.get(name).resume());
        servers.nodes().forEach(LocalNode::start);
        long deadline = System.nanoTime() + LONGEST_QUARANTINE.toNanos();
        while (nodeWatch.voting() < servers.nodes().size() && System.nanoTime() < deadline) {
            pause(POLL_MILLIS);
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void playNow(StoryKind kind, Guard guard) {
        Scene scene = new Scene(
                workers,
                servers.nodes(),
                available -> {
                    stock = database.newStock(available);
                    return stock;
                },
                this::tell,
                () -> pause(BEAT_MILLIS));
        for (Story.Part part : kind.story().play(scene, guard)) {
            results.add(kind.id(), part.guard(), part.stock());
        }
        results.update();
    }

    /** What the database says of an article. */
    Numbers numbers(StockKey key) {
        return database.ledger().numbers(key);
    }

    @Override
    public void close() {
        stories.shutdownNow();
        events.close();
        nodeWatch.close();
        workers.close();
    }
}
