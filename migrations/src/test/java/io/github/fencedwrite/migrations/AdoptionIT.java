package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fencing comes to an application that has its own history and data. */
@Tag("contract")
class AdoptionIT {

    @Test
    void comesToAnApplicationWithDataAndProtectsItsTable() {
        TestDatabase database = TestDatabase.fresh();
        application(database, "db/migration").migrate();

        FencingMigrations.on(database.dataSource()).install();
        application(database, "db/migration", "db/fenced").migrate();

        assertProtectedInventory(database);
    }

    @Test
    void isThereBeforeTheApplicationsFirstMigration() {
        TestDatabase database = TestDatabase.fresh();

        FencingMigrations.on(database.dataSource()).install();
        application(database, "db/migration", "db/fenced").migrate();

        assertProtectedInventory(database);
    }

    @Test
    void keepsItsHistoryApartFromTheApplications() {
        TestDatabase database = TestDatabase.withFencing();
        application(database, "db/migration", "db/fenced").migrate();

        assertThat(database.ask("SELECT string_agg(script, ' ' ORDER BY installed_rank) FROM flyway_schema_history"))
                .isEqualTo("V1__inventory.sql V2__stock.sql V3__orders.sql V4__fence_inventory.sql");
        assertThat(database.ask(
                        "SELECT string_agg(script, ' ' ORDER BY installed_rank) FROM fencing.flyway_schema_history"))
                .isEqualTo("V1__fencing_schema.sql R__fencing_functions.sql");
    }

    private static void assertProtectedInventory(TestDatabase database) {
        assertThat(database.ask("SELECT count(*) FROM inventory WHERE last_token = 0"))
                .isEqualTo("1000");
        assertThat(database.ask("SELECT relation || '.' || token_column FROM fencing.registry"))
                .isEqualTo("inventory.last_token");
        database.run("INSERT INTO inventory (sku, stock) VALUES ('new', 1)");
        assertThat(database.ask("SELECT last_token FROM inventory WHERE sku = 'new'"))
                .isEqualTo("0");
    }

    private static Flyway application(TestDatabase database, String... locations) {
        return Flyway.configure()
                .dataSource(database.dataSource())
                .locations(java.util.Arrays.stream(locations)
                        .map(location -> "classpath:" + location)
                        .toArray(String[]::new))
                .load();
    }
}
