package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

class FencedJdbcIT {

    private static final String SET = "UPDATE inventory SET stock = ? WHERE sku = ? OR tags ?? 'x'";

    private final InventoryFixture inventory = new InventoryFixture();
    private final FencedJdbc jdbc = FencedJdbc.on(inventory.database.dataSource());

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }

    @Test
    void guardsStatementsWithQuestionMarks() throws SQLException {
        inventory.jdbi.useHandle(handle -> handle.execute("ALTER TABLE inventory ADD COLUMN tags jsonb DEFAULT '{}'"));
        assertThat(jdbc.update(SET, token(5), 1, "4711")).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(jdbc.update(SET, token(5), 2, "4711")).isEqualTo(new WriteOutcome.AlreadyWritten(token(5)));
        assertThat(jdbc.update(SET, token(4), 2, "4711")).isEqualTo(new WriteOutcome.Stale(token(4), token(5)));
        assertThatThrownBy(() -> jdbc.updateOrThrow(SET, token(4), 2, "4711"))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("inventory(?2=4711)");
        assertThat(jdbc.update(SET, token(4), 2, "none")).isEqualTo(new WriteOutcome.NotFound());
        assertThat(inventory.stock("4711")).isEqualTo(1);
        assertThat(jdbc.update(
                        "INSERT INTO inventory (sku, stock) VALUES (?, ?) ON CONFLICT (sku) DO UPDATE SET stock = ?",
                        token(6),
                        "4711",
                        8,
                        9))
                .isEqualTo(new WriteOutcome.Applied(1));
        assertThat(jdbc.update("DELETE FROM inventory WHERE sku = ?", token(5), "4711"))
                .isEqualTo(new WriteOutcome.Stale(token(5), token(6)));
        assertThat(jdbc.update("UPDATE inventory SET stock = 3 WHERE sku = ? RETURNING stock", token(7), "4711"))
                .isEqualTo(new WriteOutcome.Applied(1));
    }

    @Test
    void claimsAndTakesPartInTheCallersTransaction() throws SQLException {
        try (Connection connection = inventory.database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            FencedJdbc mine = FencedJdbc.on(connection);
            assertThat(mine.claim("SELECT stock FROM inventory WHERE sku = ?", token(5), row -> row.getInt(1), "4711"))
                    .containsExactly(10);
            assertThat(mine.mode(FenceMode.CLAIMED)
                            .update("UPDATE inventory SET stock = 4 WHERE sku = ?", token(5), "4711"))
                    .isEqualTo(new WriteOutcome.Applied(1));
            connection.rollback();
        }
        assertThat(jdbc.mode(FenceMode.CLAIMED)
                        .update("UPDATE inventory SET stock = 4 WHERE sku = ?", token(5), "4711"))
                .isEqualTo(new WriteOutcome.NotClaimed(token(5), 0));
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> jdbc.update("UPDATE nowhere SET a = 1", token(1)))
                .isInstanceOf(TableNotReadyException.class);
        assertThatThrownBy(() -> jdbc.column("other").update("UPDATE inventory SET stock = 1", token(1)))
                .isInstanceOf(TableNotReadyException.class)
                .hasMessageContaining("has no token column other");
        assertThatThrownBy(() -> jdbc.update("UPDATE inventory SET stock = 1; SELECT 1", token(1)))
                .isInstanceOf(StatementRefusedException.class);
    }

    @Test
    void refusesADataSourceWithAutocommitOff() {
        FencedJdbc pooled = FencedJdbc.on(new DelegatingDataSource(inventory.database.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                connection.setAutoCommit(false);
                return connection;
            }
        });
        String set = "UPDATE inventory SET stock = 1 WHERE sku = '4711'";
        assertThatThrownBy(() -> pooled.update(set, token(5)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("autoCommit=false");
        assertThatThrownBy(() -> pooled.updateOrThrow(set, token(5))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> pooled.claim("SELECT stock FROM inventory", token(5), row -> row.getInt(1)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }
}
