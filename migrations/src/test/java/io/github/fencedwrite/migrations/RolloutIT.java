package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Every step of the rollout, done and undone, while business goes on. */
class RolloutIT {

    private final TestDatabase database = TestDatabase.fresh();

    @Test
    void takesEachStepForthAndBackWithoutOneFailedRequest() throws Exception {
        database.run(
                "CREATE TABLE item (id int PRIMARY KEY, stock int NOT NULL)",
                "INSERT INTO item SELECT n, n FROM generate_series(1, 1000) AS n");
        try (Traffic traffic = Traffic.on(database.dataSource(), "500ms")) {
            FencingMigrations.on(database.dataSource()).install();
            traffic.assertNoRequestFailed();
            step(traffic, "SELECT fencing.protect('public.item')");
            step(traffic, "SELECT fencing.enforce('public.item', 'monotonic')");
            traffic.writers(Traffic.Writers.FENCED);
            traffic.assertNoRequestFailed();
            step(traffic, "SELECT fencing.enforce('public.item', 'strict')");

            step(traffic, "SELECT fencing.enforce('public.item', 'monotonic')");
            traffic.writers(Traffic.Writers.PLAIN);
            traffic.assertNoRequestFailed();
            step(traffic, "SELECT fencing.relax('public.item')");
            step(traffic, "SELECT fencing.unprotect('public.item')");
            database.run("DROP SCHEMA fencing CASCADE");
            traffic.assertNoRequestFailed();
        }
        assertThat(database.ask("SELECT count(*) FROM pg_attribute WHERE attrelid = 'item'::regclass AND attnum > 0"
                        + " AND NOT attisdropped"))
                .isEqualTo("2");
    }

    @Test
    void preparedSelectOfAllColumnsMeetsTheNewColumnOnceInATransactionAndNeverOutsideOfOne() throws Exception {
        database.run("CREATE TABLE item (id int PRIMARY KEY, stock int NOT NULL)", "INSERT INTO item VALUES (1, 10)");
        FencingMigrations.on(database.dataSource()).install();
        try (Session inTransaction = database.session();
                Session autoCommit = database.session()) {
            inTransaction.connection().setAutoCommit(false);
            try (var first = inTransaction.connection().prepareStatement("SELECT * FROM item");
                    var second = autoCommit.connection().prepareStatement("SELECT * FROM item")) {
                for (int i = 0; i < 10; i++) { // from the fifth on it is prepared on the server
                    first.executeQuery().close();
                    second.executeQuery().close();
                }
                inTransaction.connection().commit();
                database.run("SELECT fencing.protect('item')");

                second.executeQuery().close();
                SqlFailure failure = Refusals.failed("0A000", () -> {
                    try {
                        first.executeQuery().close();
                    } catch (java.sql.SQLException e) {
                        throw new SqlFailure(e);
                    }
                });
                assertThat(failure).hasMessageContaining("cached plan must not change result type");
                inTransaction.connection().rollback();
                first.executeQuery().close();
            }
        }
    }

    private void step(Traffic traffic, String sql) {
        database.run(sql);
        traffic.assertNoRequestFailed();
    }
}
