package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The server crashes before a commit. It forgets the transaction, and its id, and gives that id to the next one: what
 * {@code pg_xact_status} says of it is not said of ours.
 */
@Tag("contract")
class ServerCrashIT {

    private static final int TRIES = 20;

    // so that nothing but the tests writes, which would make the ids durable
    private static final Postgres POSTGRES = Postgres.start("wal_writer_delay=10000", "autovacuum=off");

    private final PostgresDatabase database = POSTGRES.newDatabase();
    private final Jdbi sane = create(database);
    private final BreakingDataSource breaking = new BreakingDataSource(database.dataSource());
    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicLong transactionId = new AtomicLong();

    enum Crash {
        /** All processes of the server end, and somebody starts it again. */
        OF_SERVER {
            @Override
            void happen(Jdbi jdbi) {
                POSTGRES.restart();
            }
        },
        /** One process ends, and the server starts again by itself, with the same first process. */
        OF_SESSION {
            @Override
            void happen(Jdbi jdbi) {
                String started = "SELECT pg_postmaster_start_time()::text";
                String before = jdbi.withHandle(
                        handle -> handle.select(started).mapTo(String.class).one());
                // ends the shell's parent, which is the session itself
                Throwable end = catchThrowable(
                        () -> jdbi.useHandle(handle -> handle.execute("COPY (SELECT 1) TO PROGRAM 'kill -9 $PPID'")));
                assertThat(end).isNotNull();
                String after = await().atMost(Duration.ofMinutes(1))
                        .ignoreExceptions()
                        .until(
                                () -> jdbi.withHandle(handle -> handle.select(started)
                                        .mapTo(String.class)
                                        .one()),
                                found -> true);
                assertThat(after).isEqualTo(before);
            }
        };

        abstract void happen(Jdbi jdbi);
    }

    @AfterEach
    void dropDatabase() {
        database.close();
    }

    @AfterAll
    static void endServer() {
        POSTGRES.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void repeatsWhatTheServerForgot(boolean withFenceRow) {
        breaking.crashBeforeCommit(() -> Crash.OF_SESSION.happen(sane));
        sell(withFenceRow, 7);
        assertThat(runs).as("nothing was committed, so once more").hasValue(2);
        assertThat(stock(sane)).isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void believesNoServerThatWasStartedSince(boolean withFenceRow) {
        breaking.crashBeforeCommit(() -> Crash.OF_SERVER.happen(sane));
        assertThatThrownBy(() -> sell(withFenceRow, 7))
                .as("it could as well be another one that has taken over")
                .isInstanceOf(UnknownOutcomeException.class);
        assertThat(runs).hasValue(1);
        assertThat(stock(sane)).isEqualTo(10);
    }

    @ParameterizedTest
    @CsvSource({"OF_SERVER, true", "OF_SERVER, false", "OF_SESSION, true", "OF_SESSION, false"})
    void doesNotTakeAnothersCommitForItsOwn(Crash crash, boolean withFenceRow) {
        AtomicBoolean givenToAnother = new AtomicBoolean();
        for (int i = 0; !givenToAnother.get(); i++) {
            int token = 7 + i;
            assertThat(i).as("the server never forgot the id").isLessThan(TRIES);
            runs.set(0);
            int before = stock(sane);
            breaking.crashBeforeCommit(() -> {
                crash.happen(sane);
                givenToAnother.set(nextTransaction(sane) <= transactionId.get());
                while (nextTransaction(sane) < transactionId.get()) {
                    // until somebody has the id for certain
                }
            });
            Throwable thrown = catchThrowable(() -> sell(withFenceRow, token));
            if (givenToAnother.get()) {
                assertThat(thrown).isInstanceOf(UnknownOutcomeException.class);
                assertThat(runs).hasValue(1);
                assertThat(stock(sane)).isEqualTo(before);
            } else {
                assertThat(thrown).isNull();
                assertThat(stock(sane)).isEqualTo(before - 1);
            }
        }
    }

    private static Jdbi create(PostgresDatabase database) {
        FencingMigrations.on(database.dataSource()).install();
        Jdbi jdbi = Jdbi.create(database.dataSource());
        jdbi.useHandle(
                handle -> handle.createScript("CREATE TABLE inventory (sku text PRIMARY KEY, stock int NOT NULL);"
                                + "INSERT INTO inventory VALUES ('4711', 10);"
                                + "SELECT fencing.protect('inventory'); SELECT fencing.enter('sku:4711', 1)")
                        .execute());
        return jdbi;
    }

    private void sell(boolean withFenceRow, long tokenValue) {
        FencedTransactions fencing = Fencing.of(Jdbi.create(breaking).installPlugin(new FencingPlugin()));
        (withFenceRow ? fencing : fencing.withoutFenceRow())
                .inTransaction(TestLease.of("sku:4711", tokenValue), (handle, token) -> {
                    runs.incrementAndGet();
                    long sold = Fencing.fence(
                                    handle.createUpdate("UPDATE inventory SET stock = stock - 1 WHERE sku = '4711'"),
                                    token)
                            .mode(FenceMode.FIRST)
                            .executeOrThrow();
                    transactionId.set(handle.select("SELECT pg_current_xact_id()::text")
                            .mapTo(Long.class)
                            .one());
                    return sold;
                });
    }

    /** Runs a transaction of its own, and tells its id. */
    private static long nextTransaction(Jdbi jdbi) {
        return jdbi.withHandle(handle -> handle.select("SELECT pg_current_xact_id()::text")
                .mapTo(Long.class)
                .one());
    }

    private static int stock(Jdbi jdbi) {
        return jdbi.withHandle(handle -> handle.select("SELECT stock FROM inventory")
                .mapTo(Integer.class)
                .one());
    }
}
