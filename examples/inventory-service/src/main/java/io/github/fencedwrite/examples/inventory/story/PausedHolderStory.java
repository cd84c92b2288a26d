package io.github.fencedwrite.examples.inventory.story;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Finding;
import io.github.fencedwrite.PreflightMode;
import io.github.fencedwrite.examples.inventory.Configuration.Database;
import io.github.fencedwrite.examples.inventory.InventoryApplication;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.examples.inventory.worker.Guard;
import io.github.fencedwrite.examples.inventory.worker.Ledger;
import io.github.fencedwrite.examples.inventory.worker.Ledger.Numbers;
import io.github.fencedwrite.examples.inventory.worker.WorkerEvent.Kind;
import io.github.fencedwrite.examples.inventory.worker.WorkerGroup;
import io.github.fencedwrite.examples.inventory.worker.WorkerServers;
import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Plays {@link PausedHolder} on the console, unguarded and guarded, on five Redis nodes and a PostgreSQL. */
public final class PausedHolderStory {

    private static final int NODES = 5;
    private static final Duration TTL = Duration.ofSeconds(2);
    private static final Duration WAIT_AT_MOST = Duration.ofSeconds(20);
    private static final String HINT = """

            The same as a service with a page to watch, on http://localhost:8080:
              mvn -q -am -pl examples/inventory-service -Pservice package""";

    private PausedHolderStory() {}

    /** Starts the servers, plays, prints, and exits with 0 if the story ended as it should, else with 1. */
    public static void main(String[] args) {
        boolean asExpected = run(System.out);
        System.exit(asExpected ? 0 : 1);
    }

    static boolean run(PrintStream out) {
        try (RedisNodes nodes = RedisNodes.start(NODES);
                PostgresDatabase database = Postgres.shared().newDatabase()) {
            out.println(NODES + " Redis nodes (" + nodes.kind() + "): " + String.join(" ", nodes.uris()));
            out.println("PostgreSQL: " + database.jdbcUrl());
            if (nodes.startedEmpty()) {
                out.println("The nodes were started empty for this run, so the quarantine for restarted nodes is off.");
            }
            examine(nodes, out);
            InventoryApplication.migrate(database.dataSource());
            StoryDatabase.migrate(database.dataSource());
            WorkerServers servers = new WorkerServers(
                    nodes.uris(),
                    new Database(database.jdbcUrl(), database.user(), database.password()),
                    TTL,
                    WAIT_AT_MOST,
                    !nodes.startedEmpty());
            return play(servers, new StoryDatabase(InventoryApplication.jdbi(database.dataSource())), out);
        }
    }

    private static boolean play(WorkerServers servers, StoryDatabase database, PrintStream out) {
        Timeline timeline = new Timeline(out);
        try (WorkerGroup workers = WorkerGroup.start(List.of(Scene.A, Scene.B), servers, event -> {
            if (event.kind() != Kind.READY && event.kind() != Kind.IDLE && event.kind() != Kind.RELEASED) {
                timeline.event(event.worker(), event.text());
            }
        })) {
            Scene scene = new Scene(workers, List.of(), database::newStock, timeline::event, () -> {});
            Numbers unguarded = play(scene, Guard.NONE, database.ledger(), timeline);
            Numbers guarded = play(scene, Guard.CLAIM, database.ledger(), timeline);
            out.println(HINT);
            out.println();
            out.println(line("unguarded", unguarded));
            out.println(line("guarded", guarded));
            return is(unguarded, 1, 0) && is(guarded, 0, 1);
        }
    }

    private static Numbers play(Scene scene, Guard guard, Ledger ledger, Timeline timeline) {
        timeline.heading(
                guard == Guard.NONE
                        ? "Unguarded: a lock with a time limit, and nothing else"
                        : "Guarded: the same work, and each write carries the token of its lease");
        timeline.event("", "a new article has a stock of " + Story.STOCK + ", a lease lasts " + TTL.toMillis() + " ms");
        StockKey stock = new PausedHolder().play(scene, guard).get(0).stock();
        Numbers numbers = ledger.numbers(stock);
        timeline.event(
                "",
                String.format(
                        Locale.ROOT,
                        "sold %d of %d, so %d should be left; the database has %d",
                        numbers.sold(),
                        Story.STOCK,
                        Story.STOCK - numbers.sold(),
                        numbers.inStock()));
        return numbers;
    }

    private static String line(String label, Numbers numbers) {
        return label + ": lost_updates=" + numbers.lostUpdates() + " stale_writes_rejected="
                + numbers.staleWritesRejected();
    }

    private static boolean is(Numbers numbers, int lostUpdates, int staleWritesRejected) {
        return numbers.lostUpdates() == lostUpdates && numbers.staleWritesRejected() == staleWritesRejected;
    }

    /** Prints what the preflight finds, as an operator would want to see it at every start. */
    private static void examine(RedisNodes nodes, PrintStream out) {
        try (FencedLocks locks = FencedLocks.builder()
                .nodes(nodes.uris())
                .maxTtl(TTL)
                .quarantine(!nodes.startedEmpty())
                .preflight(PreflightMode.OFF)
                .build()) {
            List<Finding> findings = locks.preflight();
            out.println("Preflight: " + (findings.isEmpty() ? "nothing found" : findings.size() + " findings"));
            findings.forEach(finding -> out.println("  " + finding));
        }
    }
}
