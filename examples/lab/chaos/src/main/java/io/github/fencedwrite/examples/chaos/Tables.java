package io.github.fencedwrite.examples.chaos;

import io.github.fencedwrite.examples.chaos.history.History;
import io.github.fencedwrite.examples.chaos.history.RowId;
import io.github.fencedwrite.examples.chaos.history.State;
import io.github.fencedwrite.examples.chaos.history.Write;
import io.github.fencedwrite.examples.chaos.worker.Workload;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jspecify.annotations.Nullable;

/** What the workers write to: creates it, and reads its history at the end. */
final class Tables {

    /** Every operation on these keeps their sum. */
    static final List<Set<String>> BOOKS = List.of(Set.of("account"), Set.of("item", "reservation"));

    private static final List<String> NAMES =
            List.of("counter", "stock", "account", "item", "reservation", "seat", "booking");
    private static final List<String> STRICT = List.of("seat", "booking");
    private static final long FIRST_VALUE = 1_000;
    private static final Duration SESSIONS_END_WITHIN = Duration.ofSeconds(30);

    private static final RowMapper<Write> WRITE = (result, ctx) -> new Write(
            new RowId(result.getString("relation"), result.getString("row_id")),
            result.getString("xact"),
            result.getString("operation"),
            result.getLong("token"),
            state(result.getObject("old_version", Long.class), result.getObject("old_value", Long.class)),
            state(result.getObject("new_version", Long.class), result.getObject("new_value", Long.class)));

    private final PostgresDatabase database;
    private final Jdbi jdbi;

    Tables(PostgresDatabase database) {
        this.database = database;
        this.jdbi = Jdbi.create(database.dataSource());
    }

    /**
     * Creates and fills the tables.
     *
     * @param enforced whether the database itself insists on tokens on the tables of level 4
     */
    void create(boolean enforced) {
        FencingMigrations.on(database.dataSource()).install();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(schema());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        jdbi.useTransaction(this::fill);
        if (enforced) {
            STRICT.forEach(
                    table -> jdbi.useHandle(handle -> handle.select("SELECT fencing.enforce(?, 'strict')::text", table)
                            .mapTo(String.class)
                            .findOne()));
        }
    }

    private void fill(Handle handle) {
        handle.execute("SET LOCAL chaos.operation = " + History.SETUP);
        for (int i = 0; i < Workload.ROWS; i++) {
            for (String table : List.of("counter", "stock", "item", "seat")) {
                handle.execute("INSERT INTO " + table + " (id, value) VALUES (?, ?)", String.valueOf(i), FIRST_VALUE);
            }
            for (int j = 0; j < Workload.ACCOUNTS; j++) {
                handle.execute("INSERT INTO account (id, value) VALUES (?, ?)", i + "." + j, FIRST_VALUE);
            }
        }
    }

    /** Waits until no session of a worker is left: one of a worker that was killed may still be at its commit. */
    void awaitEndOfSessions() throws InterruptedException {
        long begun = System.nanoTime();
        String others =
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
        while (jdbi.withHandle(handle -> handle.select(others).mapTo(Long.class).one()) > 0) {
            if (System.nanoTime() - begun > SESSIONS_END_WITHIN.toNanos()) {
                throw new IllegalStateException("Sessions of workers that ended are still there");
            }
            Thread.sleep(50); // between two looks; the bound is above
        }
    }

    List<Write> writes() {
        return jdbi.withHandle(handle ->
                handle.select("SELECT * FROM audit ORDER BY seq").map(WRITE).list());
    }

    Map<RowId, State> rows() {
        Map<RowId, State> rows = new HashMap<>();
        for (String table : NAMES) {
            jdbi.useHandle(handle -> handle.select("SELECT id, version, value FROM " + table)
                    .map((result, ctx) -> Map.entry(
                            new RowId(table, result.getString(1)), new State(result.getLong(2), result.getLong(3))))
                    .forEach(row -> rows.put(row.getKey(), row.getValue())));
        }
        return rows;
    }

    private static @Nullable State state(@Nullable Long version, @Nullable Long value) {
        return version == null || value == null ? null : new State(version, value);
    }

    private static String schema() {
        try (InputStream in = Objects.requireNonNull(Tables.class.getResourceAsStream("schema.sql"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
