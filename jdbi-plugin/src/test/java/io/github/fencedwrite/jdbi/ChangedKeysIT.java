package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import java.time.OffsetDateTime;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A write that met a newer row is stale, however the database has changed the key, and whichever index noticed it. */
@Tag("contract")
class ChangedKeysIT {

    private final InventoryFixture inventory = new InventoryFixture();

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }

    private static WriteOutcome run(Handle handle, String sql, long token) {
        return Fencing.fence(handle.createUpdate(sql), token(token)).execute();
    }

    @BeforeEach
    void createTables() {
        inventory.jdbi.useHandle(handle -> {
            String token = "n int, last_token bigint NOT NULL DEFAULT 0";
            handle.execute("CREATE TABLE days (day date PRIMARY KEY, " + token + ")");
            handle.execute("CREATE TABLE lower (name text PRIMARY KEY, " + token + ")");
            handle.execute("CREATE FUNCTION lower_name() RETURNS trigger LANGUAGE plpgsql AS"
                    + " 'BEGIN NEW.name := lower(NEW.name); RETURN NEW; END'");
            handle.execute("CREATE TRIGGER lower BEFORE INSERT ON lower FOR EACH ROW EXECUTE FUNCTION lower_name()");
            handle.execute("CREATE TABLE rounded (size numeric(6,1) PRIMARY KEY, " + token + ")");
            handle.execute("CREATE TABLE expression (name text, " + token + ")");
            handle.execute("CREATE UNIQUE INDEX ON expression (lower(name))");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "days (day, n) VALUES (now(), 1) | day",
                "lower (name, n) VALUES ('ABC', 1) | name",
                "rounded (size, n) VALUES (1.26, 1) | size",
                "expression (name, n) VALUES ('ABC', 1) | lower(name)",
            })
    void areNeverNotFound(String insert, String key) {
        String upsert = "INSERT INTO " + insert + " ON CONFLICT (" + key + ") DO UPDATE SET n = EXCLUDED.n";
        inventory.jdbi.useHandle(handle -> {
            assertThat(run(handle, upsert, 9)).isEqualTo(new WriteOutcome.Applied(1));
            assertThat(run(handle, upsert, 8)).isInstanceOf(WriteOutcome.Stale.class);
            assertThat(run(handle, upsert, 9)).isNotInstanceOf(WriteOutcome.NotFound.class);
            assertThatThrownBy(() ->
                            Fencing.fence(handle.createUpdate(upsert), token(8)).executeOrThrow())
                    .isInstanceOf(StaleTokenException.class);
            assertThat(run(handle, upsert, 10)).isEqualTo(new WriteOutcome.Applied(1));
            assertThat(run(handle, "INSERT INTO " + insert, 9)).isInstanceOf(WriteOutcome.Stale.class);
        });
        inventory.jdbi.useTransaction(
                handle -> assertThat(run(handle, "INSERT INTO " + insert, 9)).isInstanceOf(WriteOutcome.Stale.class));
    }

    @Test
    void areStaleWithoutText() {
        inventory.jdbi.useHandle(handle -> {
            RowWrite row = Fencing.row("days").key("day", OffsetDateTime.now()).set("n", 1);
            assertThat(row.upsert(handle, token(9))).isEqualTo(new WriteOutcome.Applied(1));
            assertThat(row.upsert(handle, token(8))).isInstanceOf(WriteOutcome.Stale.class);
        });
    }

    @Test
    void includedColumnsAreNoKey() {
        inventory.jdbi.useHandle(handle -> {
            handle.execute("ALTER TABLE inventory DROP CONSTRAINT inventory_pkey");
            handle.execute("CREATE UNIQUE INDEX covering ON inventory (sku) INCLUDE (stock)");
            handle.execute("UPDATE inventory SET last_token = 9");
            assertThat(run(handle, "INSERT INTO inventory (sku, stock) VALUES ('4711', 3)", 8))
                    .isEqualTo(new WriteOutcome.Stale(token(8), token(9)));
            assertThat(run(handle, "INSERT INTO inventory (sku, stock) VALUES ('4711', 3)", 9))
                    .isEqualTo(new WriteOutcome.AlreadyWritten(token(9)));
            handle.execute("ALTER TABLE inventory ADD CONSTRAINT covered UNIQUE (sku) INCLUDE (stock)");
            assertThat(run(
                            handle,
                            "INSERT INTO inventory (sku, stock) VALUES ('4711', 3) ON CONFLICT ON CONSTRAINT covered"
                                    + " DO UPDATE SET stock = 3",
                            8))
                    .isEqualTo(new WriteOutcome.Stale(token(8), token(9)));
        });
    }

    @Test
    void violationsOfAPartitionAreThoseOfItsTable() {
        inventory.jdbi.useHandle(handle -> {
            handle.execute("CREATE TABLE parts (id int PRIMARY KEY, n int, last_token bigint NOT NULL DEFAULT 0)"
                    + " PARTITION BY RANGE (id)");
            handle.execute("CREATE SCHEMA other");
            handle.execute("CREATE TABLE other.first PARTITION OF parts FOR VALUES FROM (0) TO (10)");
            String insert = "INSERT INTO parts (id, n) VALUES (1, 2)";
            assertThat(run(handle, insert, 9)).isEqualTo(new WriteOutcome.Applied(1));
            assertThat(run(handle, insert, 8)).isEqualTo(new WriteOutcome.Stale(token(8), token(9)));
            assertThat(run(handle, insert, 9)).isEqualTo(new WriteOutcome.AlreadyWritten(token(9)));
            assertThatThrownBy(() -> run(handle, insert, 10))
                    .as("a duplicate is what it says")
                    .isInstanceOf(UnableToExecuteStatementException.class);
            handle.execute("DROP SCHEMA other CASCADE");
        });
    }

    @Test
    void violationsOfAnotherTableStayWhatTheyAre() {
        inventory.jdbi.useHandle(handle -> {
            handle.execute("CREATE TABLE audit (sku text UNIQUE)");
            handle.execute("INSERT INTO audit VALUES ('new')");
            handle.execute("CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS"
                    + " 'BEGIN INSERT INTO audit VALUES (NEW.sku); RETURN NEW; END'");
            handle.execute("CREATE TRIGGER audit AFTER INSERT ON inventory FOR EACH ROW EXECUTE FUNCTION audit()");
            assertThatThrownBy(() -> run(handle, "INSERT INTO inventory (sku, stock) VALUES ('new', 1)", 8))
                    .isInstanceOf(UnableToExecuteStatementException.class)
                    .hasMessageContaining("audit");
        });
    }
}
