package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.spi.JdbiPlugin;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.UnableToCreateSqlObjectException;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plugins are installed in any order, and none of their options is ignored. */
@Tag("jdbi")
class PluginIT {

    private final InventoryFixture inventory = new InventoryFixture();

    public interface Dao {
        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        WriteOutcome set(String sku, int stock, FencingToken token);
    }

    static Stream<List<JdbiPlugin>> orders() {
        return Stream.of(
                List.of(new SqlObjectPlugin(), FencingPlugin.announcing()),
                List.of(FencingPlugin.announcing(), new SqlObjectPlugin()),
                List.of(FencingPlugin.announcing()),
                List.of(new FencingPlugin(), FencingPlugin.announcing()),
                List.of(FencingPlugin.announcing(), new FencingPlugin(), new SqlObjectPlugin(), new FencingPlugin()));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void areInstalledInAnyOrder(List<JdbiPlugin> plugins) {
        FencingMigrations.on(inventory.database.dataSource()).install();
        inventory.jdbi.useHandle(handle -> {
            handle.execute("SELECT fencing.protect('public.inventory')");
            handle.execute("SELECT fencing.enforce('public.inventory', 'strict')");
        });
        Jdbi jdbi = Jdbi.create(inventory.database.dataSource());
        plugins.forEach(jdbi::installPlugin);
        Dao dao = jdbi.onDemand(Dao.class);
        assertThat(dao.set("4711", 1, FencingToken.of(5))).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(dao.set("4711", 1, FencingToken.of(4))).isInstanceOf(WriteOutcome.Stale.class);
    }

    @Test
    void isMissedInSoManyWords() {
        Jdbi without = Jdbi.create(inventory.database.dataSource()).installPlugin(new SqlObjectPlugin());
        assertThatThrownBy(() -> without.onDemand(Dao.class).set("4711", 1, FencingToken.of(5)))
                .isInstanceOf(UnableToCreateSqlObjectException.class)
                .hasMessageContaining("jdbi.installPlugin(new FencingPlugin())");
    }
}
