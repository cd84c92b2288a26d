package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Installing the schema by a call on a data source, into databases in any condition. */
@Tag("contract")
class InstallationIT {

    private static final List<String> ALL = List.of("V1__fencing_schema.sql", "R__fencing_functions.sql");

    private final TestDatabase database = TestDatabase.fresh();
    private final FencingMigrations fencing = FencingMigrations.on(database.dataSource());

    @Test
    void installsOnceAndThenOnlyReads() {
        assertThat(fencing.install()).isEqualTo(new InstallResult(1, ALL));

        String before = fingerprint();
        assertThat(fencing.install()).isEqualTo(new InstallResult(1, List.of()));
        assertThat(fingerprint()).isEqualTo(before);
        fencing.verify();
    }

    @RepeatedTest(20)
    void twoInstancesMayStartAtOnce() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        Callable<InstallResult> instance = () -> {
            start.await();
            return fencing.install();
        };
        ExecutorService instances = Executors.newFixedThreadPool(2);
        try {
            Future<InstallResult> one = instances.submit(instance);
            Future<InstallResult> two = instances.submit(instance);

            assertThat(List.of(one.get().applied().size(), two.get().applied().size()))
                    .containsExactlyInAnyOrder(0, 2);
        } finally {
            instances.shutdownNow();
        }
    }

    @Test
    void refusesAVersionedScriptThatItDoesNotKnow() {
        fencing.install();
        database.run("INSERT INTO fencing.flyway_schema_history VALUES"
                + " (9, '2', 'more', 'SQL', 'V2__more.sql', 1, 'x', now(), 0, true)");

        refuses("WF111", "newer one", fencing::install);
    }

    @Test
    void refusesAHistoryThatDiffers() {
        fencing.install();
        database.run("UPDATE fencing.flyway_schema_history SET checksum = 1 WHERE version = '1'");

        refuses("WF112", "Released scripts never change", fencing::install);
    }

    @Test
    void refusesAfterAFailedScript() {
        fencing.install();
        database.run("UPDATE fencing.flyway_schema_history SET success = false WHERE version = '1'");

        refuses("WF112", "repair", fencing::install);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FUNCTION fencing.protect(text, text, interval)",
                "FUNCTION fencing.version()",
                "FUNCTION fencing.guard()",
                "TABLE fencing.audit",
                "TABLE fencing.fence_floor",
                "VIEW fencing.protected_tables"
            })
    void reportsWhatIsMissingAndRepairsItOnRequest(String part) {
        fencing.install();
        database.run("SELECT fencing.enter('a', 7)", "DROP " + part + " CASCADE");
        String before = fingerprint();
        String name = part.replaceAll("^.*fencing\\.(\\w+).*$", "$1");

        refuses("WF112", name, fencing::verify);
        refuses("WF112", "repair()", fencing::install);
        assertThat(fingerprint()).isEqualTo(before);

        fencing.repair();
        fencing.verify();
        assertThat(database.ask("SELECT last_token FROM fencing.fence")).isEqualTo("7");
    }

    @Test
    void completesWhatWasLeftHalfInstalledByHand() {
        database.run("CREATE SCHEMA fencing", "CREATE TABLE fencing.notes (remark text)");

        assertThat(fencing.install().applied()).isEqualTo(ALL);
        fencing.verify();
    }

    @Test
    void saysWhatToDoWhereNothingIsInstalled() {
        refuses("WF112", "is not installed", fencing::verify);
    }

    @Test
    void leavesNothingBehindWhenItFailsHalfWay() {
        // the last function of the script cannot be replaced by one with another result
        database.run(
                "CREATE SCHEMA fencing",
                "CREATE FUNCTION fencing._inspect(relation regclass, target text, token_column text) RETURNS text"
                        + " LANGUAGE sql RETURN ''");
        String before = fingerprint();

        refuses("42P13", "The schema fencing was not changed", fencing::install);
        assertThat(fingerprint()).isEqualTo(before);
    }

    @Test
    void needsNoMoreThanASchemaOfItsOwn() {
        String owner = Roles.plain(database);
        database.run("REVOKE CREATE ON DATABASE " + database.name() + " FROM PUBLIC");
        FencingMigrations plain = FencingMigrations.on(database.dataSourceOf(owner));
        refuses("42501", "CREATE SCHEMA fencing AUTHORIZATION", plain::install);

        database.run("CREATE SCHEMA fencing AUTHORIZATION " + owner, "CREATE SCHEMA app AUTHORIZATION " + owner);
        assertThat(plain.install().applied()).isEqualTo(ALL);

        try (Session session = database.sessionOf(owner)) {
            session.run(
                    "CREATE TABLE app.item (id int PRIMARY KEY)",
                    "SELECT fencing.protect('app.item')",
                    "SELECT fencing.enforce('app.item', 'strict')",
                    "SELECT fencing.rebase('app.item', 0)",
                    "SELECT fencing.relax('app.item')",
                    "SELECT fencing.unprotect('app.item')",
                    "SELECT fencing.enter('a', 1)");
        }
    }

    @Test
    void leavesTheConnectionAsItWas() throws Exception {
        try (Session session = database.session()) {
            session.connection().setReadOnly(true);
            session.connection().setTransactionIsolation(java.sql.Connection.TRANSACTION_SERIALIZABLE);
            FencingMigrations.on(new OneConnection(session.connection())).install();

            assertThat(session.connection().isReadOnly()).isTrue();
            assertThat(session.connection().getAutoCommit()).isTrue();
            assertThat(session.connection().getTransactionIsolation())
                    .isEqualTo(java.sql.Connection.TRANSACTION_SERIALIZABLE);
        }
    }

    private static void refuses(String state, String text, ThrowingCallable what) {
        FencingMigrationException failure = catchThrowableOfType(FencingMigrationException.class, what);
        assertThat(failure).as("a refusal with %s", state).isNotNull();
        assertThat(failure).hasMessageContaining(text);
        assertThat(failure.sqlState()).isEqualTo(state);
    }

    /** Everything in the schema, functions with their text, and the history. */
    private String fingerprint() {
        return database.ask("""
                SELECT md5(string_agg(line, '|' ORDER BY line)) FROM (
                    SELECT concat(proname, prosrc, xmin) FROM pg_proc WHERE pronamespace = to_regnamespace('fencing')
                    UNION ALL
                    SELECT concat(relname, relkind, xmin) FROM pg_class WHERE relnamespace = to_regnamespace('fencing')
                ) AS lines (line)""");
    }
}
