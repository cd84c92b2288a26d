package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What enforcement costs, for each updated row and for an update of one row, always in pairs: the same statement without
 * enforcement, then with it. Small and with bounds for a busy machine as a test; the figures of the README come from
 * {@code -Drows=500000 -Dpairs=7} on a machine that does nothing else.
 */
@Tag("newest")
class EnforcementCostIT {

    private static final int ROWS = Integer.getInteger("rows", 20_000);
    private static final int PAIRS = Integer.getInteger("pairs", 3);
    private static final String STOCK = "stock = stock + 1";

    // of the length that tokens have: the trigger looks at each digit
    private static final String STORED = "1796071715596793";
    private static final String NEXT = "1796071715596794";

    /** A statement under a mode of enforcement, in a transaction that has announced a token or not; rows carry STORED. */
    private record Cost(String name, String mode, String announced, String set, String column) {

        Cost(String name, String mode, String announced, String set) {
            this(name, mode, announced, set, "last_token");
        }
    }

    private static final String INSERT = "INSERT INTO item (id, stock, note)"
            + " SELECT n, n, 'note ' || n FROM generate_series(1, " + ROWS + ") AS n";

    private static final List<Cost> COSTS = List.of(
            new Cost("none (noise)", null, "", STOCK),
            new Cost("monotonic, token left alone", "monotonic", "", STOCK),
            new Cost("monotonic, token raised", "monotonic", "", STOCK + ", last_token = " + NEXT),
            new Cost("strict, token raised", "strict", "", STOCK + ", last_token = " + NEXT),
            new Cost("strict, row has the announced token", "strict", STORED, STOCK),
            new Cost("strict, row is stamped", "strict", NEXT, STOCK),
            new Cost("strict, row is stamped, column of another name", "strict", NEXT, STOCK, "other_token"));

    private final TestDatabase database = TestDatabase.withFencing();

    @Test
    void costsLittleForEachRow() {
        for (boolean hot : new boolean[] {true, false}) {
            create(ROWS, hot);
            for (Cost cost : COSTS) {
                List<Double> added = new ArrayList<>();
                List<Double> ratios = new ArrayList<>();
                for (int pair = 0; pair < PAIRS; pair++) {
                    double without = nanosOfUpdate(cost, null, hot);
                    double with = nanosOfUpdate(cost, cost.mode(), hot);
                    added.add((with - without) / ROWS / 1000);
                    ratios.add(with / without);
                }
                System.out.printf(
                        "%-7s %-47s %+5.2f us a row (%+.2f to %+.2f), %.2f times%n",
                        hot ? "HOT" : "not HOT",
                        cost.name(),
                        median(added),
                        added.stream().min(Double::compare).orElseThrow(),
                        added.stream().max(Double::compare).orElseThrow(),
                        median(ratios));
                assertThat(median(added)).as(cost.name()).isLessThan(100);
            }
        }
    }

    @Test
    void costsLittleForInsertsAndForDeletesOfWideRows() {
        for (String column : new String[] {"last_token", "other_token"}) {
            create(0, true);
            print("INSERT, stamped", column, pairs(INSERT, column, ROWS), ROWS);
            create(ROWS, true);
            print("DELETE, narrow", column, pairs("DELETE FROM item", column, ROWS), ROWS);
        }
        create(0, true);
        int wide = ROWS / 20;
        database.run(
                "ALTER TABLE item ALTER note SET STORAGE EXTERNAL",
                "INSERT INTO item (id, stock, note) SELECT n, n, repeat('x', 100000) FROM generate_series(1, " + wide
                        + ") AS n");
        print("DELETE, wide", "last_token", pairs("DELETE FROM item", "last_token", wide), wide);
    }

    private static void print(String name, String column, double[] pair, int rows) {
        System.out.printf(
                "%-16s %-12s %6.2f us a row instead of %6.2f, %.2f times%n",
                name, column, pair[1] / rows / 1000, pair[0] / rows / 1000, pair[1] / pair[0]);
        assertThat((pair[1] - pair[0]) / rows / 1000).as(name).isLessThan(100);
    }

    /** Medians without enforcement and under strict, in turns. */
    private double[] pairs(String statement, String column, int rows) {
        List<Double> without = new ArrayList<>();
        List<Double> with = new ArrayList<>();
        for (int pair = 0; pair < PAIRS; pair++) {
            without.add(nanosOf(statement, column, null, rows));
            with.add(nanosOf(statement, column, "strict", rows));
        }
        enforce(null, column);
        return new double[] {median(without), median(with)};
    }

    private double nanosOf(String statement, String column, String mode, int rows) {
        enforce(mode, column);
        try (Session session = database.session()) {
            session.run(
                    "VACUUM item", "CHECKPOINT", "BEGIN", "SELECT set_config('fencing.token', '" + NEXT + "', true)");
            long start = System.nanoTime();
            assertThat(session.write(statement)).isEqualTo(rows);
            long nanos = System.nanoTime() - start;
            session.run("ROLLBACK");
            return nanos;
        }
    }

    @Test
    void costsNothingThatCanBeSeenForASingleRow() {
        create(1000, true);
        List<Double> without = new ArrayList<>();
        List<Double> again = new ArrayList<>();
        List<Double> with = new ArrayList<>();
        for (int pair = 0; pair < 5 * PAIRS; pair++) {
            without.add(nanosOfSingleUpdates(null));
            with.add(nanosOfSingleUpdates("strict"));
            again.add(nanosOfSingleUpdates(null));
        }
        System.out.printf(
                "single row, prepared, autocommit: none %.1f us, none again %.1f us, strict %.1f us%n",
                median(without) / 1000, median(again) / 1000, median(with) / 1000);
        assertThat(median(with) - median(without)).isLessThan(1_000_000);
    }

    private void create(int rows, boolean hot) {
        database.run(
                "DROP TABLE IF EXISTS item",
                // room on each page for a second version of all its rows
                "CREATE TABLE item (id int PRIMARY KEY, stock int NOT NULL, note text)"
                        + " WITH (fillfactor = 45, autovacuum_enabled = off)",
                "INSERT INTO item SELECT n, n, 'note ' || n FROM generate_series(1, " + rows + ") AS n",
                "DELETE FROM fencing.registry",
                "ALTER TABLE item ADD COLUMN last_token bigint NOT NULL DEFAULT 0",
                "ALTER TABLE item ADD COLUMN other_token bigint NOT NULL DEFAULT 0",
                "UPDATE item SET last_token = " + STORED + ", other_token = " + STORED,
                hot ? "SELECT" : "CREATE INDEX ON item (stock)",
                "VACUUM FULL ANALYZE item");
    }

    /** Strict needs a single column, so only the one that is measured is registered. */
    private void enforce(String mode, String column) {
        for (String other : new String[] {"last_token", "other_token"}) {
            if (!other.equals(column)
                    && !database.ask("SELECT count(*) FROM fencing.registry WHERE token_column = '" + other + "'")
                            .equals("0")) {
                database.run("SELECT fencing.unprotect('item', '" + other + "')");
            }
        }
        database.run("SELECT fencing.protect('item', '" + column + "')");
        database.run(
                mode == null
                        ? "SELECT fencing.relax('item', '" + column + "')"
                        : "SELECT fencing.enforce('item', '" + mode + "', '" + column + "')");
    }

    /** Rolled back, so that each update finds the same rows. */
    private double nanosOfUpdate(Cost cost, String mode, boolean hot) {
        enforce(mode, cost.column());
        try (Session session = database.session()) {
            session.run(
                    "VACUUM item",
                    "CHECKPOINT",
                    "BEGIN",
                    "SELECT set_config('fencing.token', '" + cost.announced() + "', true)");
            long start = System.nanoTime();
            session.run("UPDATE item SET " + cost.set());
            long nanos = System.nanoTime() - start;
            assertThat(session.ask("SELECT pg_stat_get_xact_tuples_hot_updated('item'::regclass)"))
                    .as("HOT updates")
                    .isEqualTo(hot ? ROWS + "" : "0");
            session.run("ROLLBACK");
            enforce(null, cost.column());
            return nanos;
        }
    }

    /** The median of two hundred guarded updates that announce their token. */
    private double nanosOfSingleUpdates(String mode) {
        enforce(mode, "last_token");
        List<Double> nanos = new ArrayList<>();
        try (Session session = database.session();
                var update = session.connection()
                        .prepareStatement("UPDATE item SET stock = stock + 1,"
                                + " last_token = set_config('fencing.token', ?, true)::bigint"
                                + " WHERE id = ? AND last_token < ?")) {
            long token = Long.parseLong(session.ask("SELECT max(last_token) FROM item"));
            for (int i = 1; i <= 200; i++) {
                token++;
                update.setString(1, Long.toString(token));
                update.setInt(2, i);
                update.setLong(3, token);
                long start = System.nanoTime();
                assertThat(update.executeUpdate()).isOne();
                nanos.add((double) (System.nanoTime() - start));
            }
        } catch (java.sql.SQLException e) {
            throw new SqlFailure(e);
        }
        return median(nanos);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
