package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.failed;
import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Databases with other defaults, and roles with no more rights than they need. */
@Tag("contract")
@Tag("flyway")
class WholeEnvironmentsIT {

    private final TestDatabase database = TestDatabase.fresh();

    @RepeatedTest(3)
    void twoInstancesMigrateAtOnceUnderRepeatableReadDefaults() throws Exception {
        database.run("ALTER DATABASE " + database.name() + " SET default_transaction_isolation = 'repeatable read'");
        CyclicBarrier start = new CyclicBarrier(2);
        Callable<Boolean> instance = () -> {
            start.await();
            return Flyway.configure()
                    .dataSource(database.dataSource())
                    .locations("filesystem:target/no-migrations") // Flyway's own may fail on each other at this level
                    .callbacks(FencingFlyway.callback())
                    .load()
                    .migrate()
                    .success;
        };
        ExecutorService instances = Executors.newFixedThreadPool(2);
        try {
            for (Future<Boolean> done : instances.invokeAll(List.of(instance, instance))) {
                assertThat(done.get()).isTrue();
            }
        } finally {
            instances.shutdownNow();
        }
        FencingMigrations.on(database.dataSource()).verify();
    }

    @Test
    void worksWithStandardConformingStringsOff() {
        database.run("ALTER DATABASE " + database.name() + " SET standard_conforming_strings = off");
        FencingMigrations.on(database.dataSource()).install();
        useAll("item");
        FencingMigrations.on(database.dataSource()).verify();
    }

    @Test
    void worksWhereEverythingIsRepeatableRead() {
        database.run("ALTER DATABASE " + database.name() + " SET default_transaction_isolation = 'repeatable read'");
        FencingMigrations.on(database.dataSource()).install();
        useAll("item");
        FencingMigrations.on(database.dataSource()).verify();
    }

    @Test
    void grantsWhatDefaultPrivilegesTakeAway() {
        database.run(
                "ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC",
                "ALTER DEFAULT PRIVILEGES REVOKE USAGE ON TYPES FROM PUBLIC");
        FencingMigrations.on(database.dataSource()).install();
        String writer = Roles.plain(database);
        String migrator = Roles.plain(database);
        database.run(
                "SELECT fencing.grant_access('" + writer + "')",
                "SELECT fencing.grant_access('" + migrator + "', 'migrator')",
                "CREATE SCHEMA app AUTHORIZATION " + migrator);
        try (Session session = database.sessionOf(migrator)) {
            session.run(
                    "CREATE TABLE app.item (id int PRIMARY KEY)",
                    "SELECT fencing.protect('app.item')",
                    "SELECT fencing.protect('app.item', 'other_token')",
                    "SELECT fencing.enforce('app.item', 'monotonic', 'other_token')",
                    "SELECT fencing.unprotect('app.item', 'other_token')",
                    "SELECT fencing.enforce('app.item', 'strict')",
                    "SELECT fencing.rebase('app.item', 0)",
                    "SELECT fencing.cleanup()",
                    "GRANT USAGE ON SCHEMA app TO PUBLIC",
                    "GRANT INSERT, SELECT ON app.item TO PUBLIC");
        }
        try (Session session = database.sessionOf(writer)) {
            assertThat(session.ask("SELECT fencing.version()")).isEqualTo("1");
            session.run("BEGIN");
            assertThat(session.ask("SELECT entered FROM fencing.enter('item', 1)"))
                    .isEqualTo("t");
            session.run("INSERT INTO app.item VALUES (1)", "COMMIT");
            assertThat(session.ask("SELECT count(*) FROM fencing.inspect('app.item')"))
                    .isNotNull();
        }
        FencingMigrations.on(database.dataSourceOf(writer)).verify();
    }

    @Test
    void aWriterNeitherLowersATokenNorForbidsNewResourcesNorWritesTheAudit() {
        FencingMigrations.on(database.dataSource()).install();
        String writer = Roles.plain(database);
        database.run("SELECT fencing.grant_access('" + writer + "')", "SELECT fencing.enter('a', 7)");
        try (Session session = database.sessionOf(writer)) {
            refused("WF001", () -> session.run("UPDATE fencing.fence SET last_token = 6 WHERE resource = 'a'"));
            for (String statement : new String[] {
                "UPDATE fencing.fence SET resource = 'b'",
                "DELETE FROM fencing.fence",
                "TRUNCATE fencing.fence",
                "UPDATE fencing.fence_floor SET last_token = 9223372036854775807",
                "DELETE FROM fencing.fence_floor",
                "INSERT INTO fencing.fence_floor DEFAULT VALUES",
                "INSERT INTO fencing.audit (action, target) VALUES ('rebase', 'a')",
                "INSERT INTO fencing.registry SELECT 'pg_class'::regclass, 'a', 'a', 'strict', true",
                "SELECT fencing._guard_of('junk')"
            }) {
                failed("42501", () -> session.run(statement));
            }
            failed("23514", () -> session.run("UPDATE fencing.fence_floor SET only_row = false"));
            session.run("BEGIN ISOLATION LEVEL REPEATABLE READ");
            assertThat(session.ask("SELECT entered FROM fencing.enter('b', 1)")).isEqualTo("t");
            session.run("COMMIT");
        }
    }

    @Test
    void aMigratorSpeaksForItselfAndItsOwnTablesOnly() {
        FencingMigrations.on(database.dataSource()).install();
        String migrator = Roles.plain(database);
        database.run(
                "SELECT fencing.grant_access('" + migrator + "', 'migrator')",
                "CREATE TABLE theirs (id int PRIMARY KEY)",
                "SELECT fencing.protect('theirs')");
        try (Session session = database.sessionOf(migrator)) {
            failed(
                    "42501",
                    () -> session.run(
                            "INSERT INTO fencing.audit (action, target, by_role) VALUES ('rebase', 'a', 'postgres')"));
            assertThat(session.write("DELETE FROM fencing.registry")).isZero();
            assertThat(session.write("UPDATE fencing.registry SET mode = 'strict'"))
                    .isZero();
            failed(
                    "42501",
                    () -> session.run("INSERT INTO fencing.registry (relation, token_column, table_name, column_added)"
                            + " VALUES ('theirs'::regclass, 'more', 'theirs', true)"));
            session.run("INSERT INTO fencing.audit (action, target) VALUES ('note', 'a')");
        }
        assertThat(database.ask("SELECT by_role FROM fencing.audit WHERE action = 'note'"))
                .isEqualTo(migrator);
    }

    @Test
    void verifyingNeedsNoRightAtAll() {
        FencingMigrations.on(database.dataSource()).install();
        FencingMigrations.on(database.dataSourceOf(Roles.plain(database))).verify();
    }

    @Test
    void tellsWhichRoleFlywaysCallbackShouldHaveSetEarlier() {
        FencingMigrations.on(database.dataSource()).install();
        String owner = Roles.plain(database);
        database.run("CREATE SCHEMA app AUTHORIZATION " + owner);

        SqlFailure failure = refused(
                "WF106",
                () -> database.run(
                        "SET ROLE " + owner, "CREATE TABLE app.item (id int)", "SELECT fencing.protect('app.item')"));
        assertThat(failure.hint()).contains("grant_access").contains("initSql");
    }

    @Test
    void whatSomebodyElseHasPutIntoTheSchemaIsNotAdopted() {
        String stranger = Roles.plain(database);
        String planted = " FUNCTION fencing.version() RETURNS integer LANGUAGE plpgsql AS"
                + " 'BEGIN RAISE EXCEPTION ''planted''; END'";
        for (String before : new String[] {
            "CREATE SCHEMA fencing AUTHORIZATION " + stranger,
            "CREATE SCHEMA fencing; GRANT CREATE, USAGE ON SCHEMA fencing TO " + stranger
        }) {
            database.run(before);
            try (Session session = database.sessionOf(stranger)) {
                session.run("CREATE" + planted);
            }
            for (Runnable way : new Runnable[] {
                () -> FencingMigrations.on(database.dataSource()).install(),
                () -> FencingMigrations.on(database.dataSource()).repair()
            }) {
                FencingMigrationException failure = catchThrowableOfType(FencingMigrationException.class, way::run);
                assertThat(failure).hasMessageContaining(stranger);
                assertThat(failure.getMessage().lines()).hasSizeLessThan(10);
                assertThat(failure.sqlState()).isEqualTo("WF106");
            }
            assertThat(refused("WF106", () -> database.run(FencingMigrations.plainSql())))
                    .hasMessageContaining(stranger);
            assertThat(catchThrowableOfType(
                                    FencingMigrationException.class,
                                    () -> FencingMigrations.on(database.dataSource())
                                            .verify())
                            .getMessage())
                    .doesNotContain("planted");
            database.run("DROP SCHEMA fencing CASCADE");
        }
    }

    @Test
    void nothingThatSomebodyElseHasPutIntoTheSchemaRuns() {
        String stranger = Roles.plain(database);
        String installer = Roles.plain(database);
        database.run("GRANT CREATE ON DATABASE " + database.name() + " TO " + installer);
        String runs = "CREATE FUNCTION fencing.planted() RETURNS %s LANGUAGE plpgsql AS"
                + " 'BEGIN RAISE EXCEPTION ''it has run''; END'";
        String[] view = {
            runs.formatted("text"),
            "CREATE VIEW fencing.flyway_schema_history AS SELECT 'SQL' AS type, fencing.planted() AS version,"
                    + " 'x' AS script, 0 AS checksum, true AS success, 1 AS installed_rank",
            "GRANT SELECT ON fencing.flyway_schema_history TO PUBLIC"
        };
        String[] trigger = {
            runs.formatted("trigger"),
            "CREATE TABLE fencing.fence_floor (only_row boolean PRIMARY KEY DEFAULT true,"
                    + " last_token bigint NOT NULL DEFAULT 0)",
            "GRANT ALL ON fencing.fence_floor TO PUBLIC",
            "CREATE TRIGGER planted BEFORE INSERT ON fencing.fence_floor FOR EACH ROW EXECUTE FUNCTION fencing.planted()"
        };
        for (String owner : new String[] {stranger, installer}) {
            for (String[] planted : new String[][] {view, trigger}) {
                database.run(
                        "CREATE SCHEMA fencing AUTHORIZATION " + owner,
                        "GRANT CREATE, USAGE ON SCHEMA fencing TO PUBLIC");
                try (Session session = database.sessionOf(stranger)) {
                    session.run(planted);
                }
                for (DataSource role : new DataSource[] {database.dataSource(), database.dataSourceOf(installer)}) {
                    FencingMigrations fencing = FencingMigrations.on(role);
                    for (ThrowingCallable way : new ThrowingCallable[] {fencing::install, fencing::repair}) {
                        refusesStranger(way, stranger);
                    }
                    try (Session session = new Session(role)) {
                        assertThat(refused("WF106", () -> session.run(FencingMigrations.plainSql())))
                                .hasMessageContaining(stranger);
                    }
                }
                refusesStranger(
                        () -> FencingMigrations.on(database.dataSource()).verify(), stranger);
                database.run("DROP SCHEMA fencing CASCADE");
            }
        }
    }

    private static void refusesStranger(ThrowingCallable way, String stranger) {
        FencingMigrationException failure = catchThrowableOfType(FencingMigrationException.class, way);
        assertThat(failure).hasMessageContaining(stranger);
        assertThat(failure.sqlState()).as(failure.getMessage()).isEqualTo("WF106");
    }

    /** As Flyway does where the first script is on record. */
    @Test
    void theFunctionsAloneAdoptNothingEither() throws IOException {
        FencingMigrations.on(database.dataSource()).install();
        String stranger = Roles.plain(database);
        database.run("GRANT CREATE ON SCHEMA fencing TO " + stranger);
        try (Session session = database.sessionOf(stranger)) {
            session.run("CREATE TABLE fencing.notes (note text)");
        }
        try (InputStream functions = FencingMigrations.class.getResourceAsStream("sql/R__fencing_functions.sql")) {
            String script = new String(functions.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(refused("WF106", () -> database.run(script))).hasMessageContaining(stranger);
        }
    }

    @Test
    void aMemberOfTheOwnersRoleInstalls() {
        String owner = Roles.plain(database);
        String member = Roles.plain(database);
        database.run("CREATE SCHEMA fencing AUTHORIZATION " + owner, "GRANT " + owner + " TO " + member);
        FencingMigrations.on(database.dataSourceOf(owner)).install();

        FencingMigrations.on(database.dataSourceOf(member)).install();
        FencingMigrations.on(database.dataSourceOf(Roles.plain(database))).verify();
    }

    @Test
    void theStateOfATableNeedsNoRightOnItsSchema() {
        FencingMigrations.on(database.dataSource()).install();
        database.run(
                "CREATE SCHEMA secret",
                "CREATE TABLE secret.\"Odd.item\" (id int PRIMARY KEY)",
                "SELECT fencing.protect('secret.\"Odd.item\"')",
                "SELECT fencing.enforce('secret.\"Odd.item\"', 'strict')");
        String plain = Roles.plain(database);

        FencingMigrations.on(database.dataSourceOf(plain)).verify();
        try (Session session = database.sessionOf(plain)) {
            String enforced = "SELECT enforced FROM fencing.protected_tables WHERE schema_name = 'secret'";
            assertThat(session.ask(enforced)).isEqualTo("strict");
            database.run("ALTER TABLE secret.\"Odd.item\" RENAME TO old", "CREATE TABLE secret.\"Odd.item\" (id int)");
            assertThat(session.ask(enforced)).isEqualTo("replaced");
            database.run("UPDATE fencing.registry SET table_name = 'no..name'");
            assertThat(session.ask(enforced)).isEqualTo("strict");
        }
    }

    @Test
    void statementTimeoutEndsInAnErrorOfItsOwn() {
        FencingMigrations.on(database.dataSource()).install();
        database.run("CREATE TABLE item (id int)");
        try (Session reader = database.session();
                Session session = database.session()) {
            reader.run("BEGIN", "SELECT * FROM item");
            session.run("SET statement_timeout = '1500ms'");

            SqlFailure failure = refused("WF105", () -> session.run("SELECT fencing.protect('item')"));
            assertThat(failure.hint()).contains("statement_timeout");
        }
    }

    /** Each function once, so that whatever depends on a default is met. */
    private void useAll(String table) {
        database.run(
                "CREATE TABLE " + table + " (id int PRIMARY KEY, stock int)",
                "SELECT fencing.protect('" + table + "', 'Odd é')",
                "SELECT fencing.enforce('" + table + "', 'monotonic', 'Odd é')",
                "SELECT fencing.unprotect('" + table + "', 'Odd é')",
                "SELECT fencing.protect('" + table + "')",
                "SELECT * FROM fencing.preview('enforce', '" + table + "', mode => 'strict')",
                "SELECT fencing.enforce('" + table + "', 'strict')",
                "SELECT * FROM fencing.inspect('" + table + "')",
                "SELECT fencing.rebase('" + table + "', 0)",
                "SELECT fencing.enter('a', 1)",
                "SELECT fencing.rebase_resource('a', 0)",
                "SELECT fencing.cleanup()");
        refused("WF002", () -> database.run("INSERT INTO " + table + " VALUES (1)"));
        assertThat(database.ask("SELECT enforced FROM fencing.protected_tables"))
                .isEqualTo("strict");
        database.run("SELECT fencing.relax('" + table + "')");
    }
}
