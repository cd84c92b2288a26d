package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.fencedwrite.examples.servers.ServerKind;
import io.github.fencedwrite.examples.servers.Servers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The callback, the Java migration and the history, on the version of Flyway that the execution puts on the class path. */
@Tag("flyway")
class FlywayIT {

    private final TestDatabase database = TestDatabase.fresh();

    @Test
    void runsOnTheVersionsThatThisExecutionIsFor() throws IOException {
        try (InputStream version = Flyway.class.getResourceAsStream("/org/flywaydb/core/internal/version.txt")) {
            assertThat(new String(version.readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith(System.getProperty("expected.flyway", ""));
        }
        assertThat(database.ask("SHOW server_version"))
                .startsWith(System.getProperty(
                        "expected.postgresql", Servers.postgres() == ServerKind.EMBEDDED ? "18" : ""));
    }

    @Test
    void callbackInstallsBeforeTheApplicationsOwnMigrations() {
        assertThat(withCallback("db/migration", "db/fenced").load().migrate().migrationsExecuted)
                .isEqualTo(4);
        assertThat(withCallback("db/migration", "db/fenced").load().migrate().migrationsExecuted)
                .isZero();

        assertThat(database.ask("SELECT count(*) FROM inventory WHERE last_token = 0"))
                .isEqualTo("1000");
        FencingMigrations.on(database.dataSource()).verify();
    }

    @Test
    void callbackInstallsIntoAnApplicationThatIsThereAlready() {
        application("db/migration").load().migrate();

        assertThat(withCallback("db/migration", "db/fenced").load().migrate().migrationsExecuted)
                .isEqualTo(1);
        assertThat(database.ask("SELECT mode FROM fencing.protected_tables WHERE table_name = 'inventory'"))
                .isEqualTo("guarded");
    }

    @Test
    void callbackNeedsNoLargerPoolThanFlywayWithAnyCallback() {
        int enough = 1;
        while (!migrates(enough, Flyway.configure().locations("classpath:db/migration", "classpath:db/callback"))) {
            enough++;
        }

        assertThat(migrates(
                        enough,
                        Flyway.configure().locations("classpath:db/migration").callbacks(FencingFlyway.callback())))
                .as("with %d connections", enough)
                .isTrue();
    }

    private static boolean migrates(int connections, FluentConfiguration flyway) {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(TestDatabase.fresh().dataSource());
            pool.setMaximumPoolSize(connections);
            pool.setConnectionTimeout(500);
            return flyway.dataSource(pool).connectRetries(0).load().migrate().success;
        } catch (FlywayException tooSmall) {
            return false;
        }
    }

    @Test
    void twoInstancesOfTheApplicationMayStartAtOnceTwentyTimes() throws Exception {
        ExecutorService instances =
                Executors.newFixedThreadPool(8); // four pairs at a time: Flyway waits in full seconds
        try {
            List<Future<Integer>> migrated = new ArrayList<>();
            for (int round = 0; round < 20; round++) {
                TestDatabase shared = TestDatabase.fresh();
                CyclicBarrier start = new CyclicBarrier(2);
                Callable<Integer> instance = () -> {
                    Flyway flyway = application(shared, "db/migration", "db/fenced")
                            .callbacks(FencingFlyway.callback())
                            .load();
                    start.await();
                    return flyway.migrate().migrationsExecuted;
                };
                migrated.add(instances.submit(instance));
                migrated.add(instances.submit(instance));
            }
            for (int i = 0; i < migrated.size(); i += 2) {
                assertThat(migrated.get(i).get() + migrated.get(i + 1).get()).isEqualTo(4);
            }
        } finally {
            instances.shutdownNow();
        }
    }

    @Test
    void javaMigrationProtectsAListOfTables() {
        withCallback("db/migration")
                .javaMigrations(FencingFlyway.protect("4", "inventory", "public.order_line"))
                .load()
                .migrate();

        assertThat(database.ask("SELECT string_agg(table_name, ' ' ORDER BY table_name) FROM fencing.protected_tables"))
                .isEqualTo("inventory order_line");
    }

    @Test
    void javaMigrationProtectsAllOrNone() {
        Flyway flyway = withCallback("db/migration")
                .javaMigrations(FencingFlyway.protect("4", "inventory", "no_such_table"))
                .load();

        assertThatThrownBy(flyway::migrate).hasStackTraceContaining("there is no table no_such_table");
        assertThat(database.ask("SELECT count(*) FROM fencing.protected_tables"))
                .isEqualTo("0");
        assertThat(database.ask("SELECT count(*) FROM flyway_schema_history WHERE version = '4'"))
                .isEqualTo("0");
    }

    @Test
    void javaMigrationCannotChangeItsListUnnoticed() {
        withCallback("db/migration")
                .javaMigrations(FencingFlyway.protect("4", "inventory"))
                .load()
                .migrate();
        Flyway changed = withCallback("db/migration")
                .javaMigrations(FencingFlyway.protect("4", "order_line"))
                .load();

        assertThatThrownBy(changed::migrate).isInstanceOf(FlywayException.class).hasMessageContaining("checksum");
    }

    @Test
    void flywayItselfFindsNothingToDoAfterTheLibrary() {
        FencingMigrations.on(database.dataSource()).install();

        Flyway flyway = fencing().load();
        flyway.validate();
        assertThat(flyway.info().pending()).isEmpty();
        assertThat(flyway.migrate().migrationsExecuted).isZero();
    }

    @Test
    void libraryFindsNothingToDoAfterFlywayItself() {
        assertThat(fencing().load().migrate().migrationsExecuted).isEqualTo(2);

        assertThat(FencingMigrations.on(database.dataSource()).install().applied())
                .isEmpty();
        FencingMigrations.on(database.dataSource()).verify();
    }

    @Test
    void flywayItselfTakesOverASchemaThatAnAdministratorHasMade() {
        database.run("CREATE SCHEMA fencing", "CREATE TABLE fencing.notes (remark text)");

        fencing().baselineOnMigrate(true).baselineVersion("0").load().migrate();

        FencingMigrations.on(database.dataSource()).verify();
    }

    @Test
    void baselineOfTheApplicationSkipsNothingOfFencing() {
        database.run("CREATE TABLE legacy (id int)");

        withCallback("db/migration", "db/fenced")
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate();

        FencingMigrations.on(database.dataSource()).verify();
        assertThat(database.ask("SELECT count(*) FROM fencing.protected_tables"))
                .isEqualTo("1");
    }

    @Test
    void newerInstallationStopsTheApplicationsMigrationBeforeItBegins() {
        OtherVersion.of(2).install(database.dataSource());

        assertThatThrownBy(() -> withCallback("db/migration").load().migrate())
                .hasStackTraceContaining("Use the fenced-write library that installed it, or a newer one");
        assertThat(database.ask("SELECT to_regclass('inventory')")).isNull();
    }

    private FluentConfiguration fencing() {
        return Flyway.configure()
                .dataSource(database.dataSource())
                .locations("classpath:io/github/fencedwrite/migrations/sql")
                .schemas("fencing");
    }

    private FluentConfiguration withCallback(String... locations) {
        return application(locations).callbacks(FencingFlyway.callback());
    }

    private FluentConfiguration application(String... locations) {
        return application(database, locations);
    }

    private static FluentConfiguration application(TestDatabase database, String... locations) {
        return Flyway.configure()
                .dataSource(database.dataSource())
                .locations(List.of(locations).stream()
                        .map(location -> "classpath:" + location)
                        .toArray(String[]::new));
    }
}
