package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.examples.benchmarks.Comparison.Pair;
import java.util.List;

/** What the triggers of the migrations cost a guarded write of one row: the same statement on a table with and without them. */
final class EnforcedWrites {

    private EnforcedWrites() {}

    static List<Comparison> comparisons() {
        return List.of(enforced("monotonic"), enforced("strict"));
    }

    private static Comparison enforced(String mode) {
        return new Comparison(
                "enforced-" + mode,
                "guarded update of a table that is enforced",
                "the same of one that is not",
                Comparison.MICROS,
                1.10,
                stage -> {
                    InventoryDatabase database = InventoryDatabase.open(stage);
                    database.jdbi()
                            .useHandle(handle -> handle.execute("SELECT fencing.enforce('public.inventory', ?)", mode));
                    return new Pair(
                            Scenario.micros(() -> database.jdbi()
                                    .useHandle(handle -> handle.attach(InventoryWrites.class)
                                            .setGuardedByHand(database.nextSku(), 1, database.nextToken()))),
                            Scenario.micros(() -> database.jdbi()
                                    .useHandle(handle -> handle.attach(InventoryWrites.class)
                                            .setOtherGuardedByHand(database.nextSku(), 1, database.nextToken()))));
                });
    }
}
