package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.examples.benchmarks.Comparison.Pair;
import io.github.fencedwrite.jdbi.FencedTransactions;
import io.github.fencedwrite.jdbi.Fencing;
import java.util.List;
import java.util.function.Function;

/**
 * Guarded writes on one connection against what people write instead. A table is never enforced here; what enforcement costs is
 * in {@link EnforcedWrites}.
 */
final class GuardedWrites {

    private static final String BY_HAND = "the same SQL by hand";
    private static final String FOR_UPDATE = "SELECT FOR UPDATE, update, commit";
    private static final String VERSION = "read, update where the version is the same";
    private static final String ADVISORY = "transaction advisory lock, read, update, commit";

    private final InventoryDatabase database;
    private final FencedTransactions fencing;

    private GuardedWrites(InventoryDatabase database) {
        this.database = database;
        this.fencing = Fencing.of(database.jdbi());
    }

    private static final String GUARDED = "@Fenced update, autocommit";
    private static final String CLAIMED = "@Claim, @Fenced update, commit";
    private static final String FENCED = "Fencing.inTransaction: fence row, update, commit";

    /** Those that have a target. */
    static List<Comparison> comparisons() {
        return List.of(
                comparison("guarded-update", GUARDED, BY_HAND, 1.10, w -> w::guarded, w -> w::guardedByHand),
                comparison("claimed-update", CLAIMED, FOR_UPDATE, 1.15, w -> w::claimed, w -> w::forUpdate),
                comparison("fence-row", FENCED, FOR_UPDATE, 1.15, w -> w::fenceRow, w -> w::forUpdate));
    }

    /** The same against everything else. */
    static List<Comparison> withOtherWays() {
        return List.of(
                comparison("guarded-update-for-update", GUARDED, FOR_UPDATE, w -> w::guarded, w -> w::forUpdate),
                comparison("guarded-update-version", GUARDED, VERSION, w -> w::guarded, w -> w::version),
                comparison("guarded-update-advisory", GUARDED, ADVISORY, w -> w::guarded, w -> w::advisory),
                comparison("claimed-update-by-hand", CLAIMED, BY_HAND, w -> w::claimed, w -> w::claimedByHand),
                comparison("claimed-update-version", CLAIMED, VERSION, w -> w::claimed, w -> w::version),
                comparison("claimed-update-advisory", CLAIMED, ADVISORY, w -> w::claimed, w -> w::advisory),
                comparison(
                        "claimed-update-fate",
                        "Fencing.withoutFenceRow().inTransaction: the same with limits and the fate of a lost commit",
                        FOR_UPDATE,
                        w -> w::claimedWithFate,
                        w -> w::forUpdate),
                comparison("fence-row-version", FENCED, VERSION, w -> w::fenceRow, w -> w::version),
                comparison("fence-row-advisory", FENCED, ADVISORY, w -> w::fenceRow, w -> w::advisory));
    }

    private static Comparison comparison(
            String name,
            String a,
            String b,
            Function<GuardedWrites, Scenario.Operation> first,
            Function<GuardedWrites, Scenario.Operation> second) {
        return comparison(name, a, b, Comparison.NO_TARGET, first, second);
    }

    private static Comparison comparison(
            String name,
            String a,
            String b,
            double atMost,
            Function<GuardedWrites, Scenario.Operation> first,
            Function<GuardedWrites, Scenario.Operation> second) {
        return new Comparison(name, a, b, Comparison.MICROS, atMost, stage -> {
            GuardedWrites writes = new GuardedWrites(InventoryDatabase.open(stage));
            return new Pair(Scenario.micros(first.apply(writes)), Scenario.micros(second.apply(writes)));
        });
    }

    private void guarded() {
        String sku = database.nextSku();
        FencingToken token = database.nextToken();
        database.jdbi().useHandle(handle -> handle.attach(InventoryWrites.class).setGuarded(sku, 1, token));
    }

    private void guardedByHand() {
        String sku = database.nextSku();
        FencingToken token = database.nextToken();
        database.jdbi().useHandle(handle -> handle.attach(InventoryWrites.class).setGuardedByHand(sku, 1, token));
    }

    private void claimed() {
        String sku = database.nextSku();
        FencingToken token = database.nextToken();
        database.jdbi().useTransaction(handle -> {
            InventoryWrites writes = handle.attach(InventoryWrites.class);
            writes.setClaimed(sku, writes.claim(sku, token) - 1, token);
        });
    }

    private void claimedByHand() {
        String sku = database.nextSku();
        FencingToken token = database.nextToken();
        database.jdbi().useTransaction(handle -> {
            InventoryWrites writes = handle.attach(InventoryWrites.class);
            writes.setClaimedByHand(sku, writes.claimByHand(sku, token) - 1, token);
        });
    }

    private void claimedWithFate() {
        String sku = database.nextSku();
        fencing.withoutFenceRow().inTransaction(new GivenLease("sku:" + sku, database.nextToken()), (handle, token) -> {
            InventoryWrites writes = handle.attach(InventoryWrites.class);
            int stock = writes.claim(sku, token);
            writes.setClaimed(sku, stock - 1, token);
            return stock;
        });
    }

    private void fenceRow() {
        String sku = database.nextSku();
        fencing.inTransaction(new GivenLease("sku:" + sku, database.nextToken()), handle -> {
            return handle.attach(InventoryWrites.class).set(sku, 1);
        });
    }

    private void forUpdate() {
        String sku = database.nextSku();
        database.jdbi().useTransaction(handle -> {
            InventoryWrites writes = handle.attach(InventoryWrites.class);
            writes.set(sku, writes.lock(sku) - 1);
        });
    }

    private void version() {
        String sku = database.nextSku();
        database.jdbi().useHandle(handle -> {
            InventoryWrites writes = handle.attach(InventoryWrites.class);
            InventoryWrites.Versioned row = writes.readVersion(sku);
            writes.setVersion(sku, row.stock() - 1, row.version());
        });
    }

    private void advisory() {
        String sku = database.nextSku();
        database.jdbi().useTransaction(handle -> {
            InventoryWrites writes = handle.attach(InventoryWrites.class);
            writes.lockAdvisory(sku);
            writes.set(sku, writes.read(sku) - 1);
        });
    }
}
