package io.github.fencedwrite.examples.inventory.story;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Finding;
import io.github.fencedwrite.PreflightMode;
import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.examples.servers.RedisNodes;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Jdbi;

/**
 * Plays the story of the paused holder twice, unguarded and guarded, on five Redis nodes and a PostgreSQL: holder A takes
 * the lock, reads and is stopped; its lease runs out; holder B takes the lock, sells and writes; A goes on and writes.
 */
public final class PausedHolderStory {

    private static final int NODES = 5;
    private static final int STOCK = 10;
    private static final int QUANTITY_OF_A = 1;
    private static final int QUANTITY_OF_B = 3;
    private static final Duration TTL = Duration.ofSeconds(2);

    private final Holder.Servers servers;
    private final Ledger ledger;
    private final Timeline timeline;

    PausedHolderStory(Holder.Servers servers, Ledger ledger, Timeline timeline) {
        this.servers = servers;
        this.ledger = ledger;
        this.timeline = timeline;
    }

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
            migrate(database);
            Ledger ledger = new Ledger(Jdbi.create(database.dataSource()));
            Holder.Servers servers = new Holder.Servers(
                    nodes.uris(), nodes.startedEmpty(), database.jdbcUrl(), database.user(), database.password());
            PausedHolderStory story = new PausedHolderStory(servers, ledger, new Timeline(out));
            Result unguarded = story.play(Guarding.UNGUARDED);
            Result guarded = story.play(Guarding.GUARDED);
            out.println();
            out.println(unguarded);
            out.println(guarded);
            return unguarded.is(1, 0) && guarded.is(0, 1);
        }
    }

    /** Prints what the preflight finds, as an operator would want to see it at every start. */
    private static void examine(RedisNodes nodes, PrintStream out) {
        try (FencedLocks locks = FencedLocks.builder()
                .nodes(nodes.uris())
                .quarantine(!nodes.startedEmpty())
                .preflight(PreflightMode.OFF)
                .build()) {
            List<Finding> findings = locks.preflight();
            out.println("Preflight: " + (findings.isEmpty() ? "nothing found" : findings.size() + " findings"));
            findings.forEach(finding -> out.println("  " + finding));
        }
    }

    static void migrate(PostgresDatabase database) {
        FencingMigrations.on(database.dataSource()).install();
        Flyway.configure()
                .dataSource(database.dataSource())
                .locations("classpath:db/migration", "classpath:db/story")
                .load()
                .migrate();
    }

    Result play(Guarding guarding) {
        String sku = guarding.sku();
        timeline.heading(
                guarding == Guarding.GUARDED
                        ? "Guarded: the same work, and each write carries the token of its lease"
                        : "Unguarded: a lock with a time limit, and nothing else");
        ledger.stockUp(sku, STOCK);
        timeline.event("", "stock of sku " + sku + " is " + STOCK + ", a lease lasts " + TTL.toMillis() + " ms");
        try (HolderProcess a = HolderProcess.start("A", guarding, QUANTITY_OF_A, TTL, servers);
                Holder b = new Holder("B", servers, line -> timeline.event("B", line))) {
            a.tellUntil(HolderMain.READY_TO_WRITE, line -> timeline.event("A", line));
            a.stop();
            a.send("go on");
            timeline.event("A", "is stopped (SIGSTOP to process " + a.pid() + ")");
            b.sell(guarding, QUANTITY_OF_B, TTL, () -> {});
            a.goOn();
            timeline.event("A", "goes on (SIGCONT)");
            a.tellAll(line -> timeline.event("A", line));
        }
        int sold = ledger.sold(sku);
        timeline.event(
                "",
                "sold " + sold + " of " + STOCK + ", so " + (STOCK - sold) + " should be left; the database has "
                        + ledger.stock(sku));
        return new Result(guarding, ledger.lostUpdates(sku), ledger.staleWritesRejected(sku));
    }

    /** What the database tells about one play. */
    record Result(Guarding guarding, int lostUpdates, int staleWritesRejected) {

        boolean is(int expectedLostUpdates, int expectedStaleWritesRejected) {
            return lostUpdates == expectedLostUpdates && staleWritesRejected == expectedStaleWritesRejected;
        }

        @Override
        public String toString() {
            return guarding.label() + ": lost_updates=" + lostUpdates + " stale_writes_rejected=" + staleWritesRejected;
        }
    }
}
