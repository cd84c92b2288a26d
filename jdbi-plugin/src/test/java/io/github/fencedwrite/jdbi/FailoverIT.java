package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.examples.servers.Proxy;
import io.github.fencedwrite.examples.servers.ReplicatedPostgres;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The primary dies around a commit and a standby takes over. Nobody is told that a commit was carried out by a server that
 * cannot know, and what was acknowledged is there as far as the replication promises.
 */
@Tag("contract")
class FailoverIT {

    private static final TestLease LEASE = new TestLease("sku:4711", 7, Duration.ofMinutes(10));

    private final AtomicInteger runs = new AtomicInteger();
    private ReplicatedPostgres servers;
    private PostgresDatabase database;

    private void start(boolean synchronous, String... settings) {
        servers = ReplicatedPostgres.start(synchronous, settings);
        database = servers.primary().newDatabase();
        FencingMigrations.on(database.dataSource()).install();
        Jdbi.create(database.dataSource()).useHandle(handle -> {
            handle.execute("CREATE TABLE inventory (sku text PRIMARY KEY, stock int NOT NULL)");
            handle.execute("INSERT INTO inventory VALUES ('4711', 10)");
            handle.execute("SELECT fencing.protect('inventory')");
        });
        servers.awaitStandby();
    }

    @AfterEach
    void close() {
        servers.close();
    }

    private FencedTransactions fencing(DataSource dataSource) {
        return Fencing.of(Jdbi.create(dataSource).installPlugin(new FencingPlugin()));
    }

    private int sell(Handle handle) {
        runs.incrementAndGet();
        return handle.execute("UPDATE inventory SET stock = stock - 1 WHERE sku = '4711'");
    }

    private int stock() {
        return Jdbi.create(servers.dataSource(database, "primary"))
                .withHandle(handle -> handle.createQuery("SELECT stock FROM inventory")
                        .mapTo(Integer.class)
                        .one());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void primaryThatDiesBeforeTheCommitLeavesItUnknownAndUndone(boolean synchronous) {
        start(synchronous);
        BreakingDataSource breaking = new BreakingDataSource(servers.dataSource(database, "primary"));
        breaking.crashBeforeCommit(servers::failOver);
        assertThatThrownBy(() -> fencing(breaking).useTransaction(LEASE, this::sell))
                .isInstanceOf(UnknownOutcomeException.class);
        assertThat(runs).hasValue(1);
        assertThat(stock()).isEqualTo(10);
        fencing(breaking).useTransaction(LEASE, this::sell);
        assertThat(stock()).as("the same lease goes on at the new primary").isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void answerThatIsLostWithThePrimaryIsUnknown(boolean hasArrived) {
        start(false);
        BreakingDataSource breaking = new BreakingDataSource(servers.dataSource(database, "primary"));
        if (!hasArrived) {
            servers.holdStream();
        }
        breaking.loseAfterCommit(() -> {
            if (hasArrived) {
                servers.awaitStandby();
            }
            servers.failOver();
            useUpIds(100); // the new primary gives the same ids again, and commits
        });
        assertThatThrownBy(() -> fencing(breaking).useTransaction(LEASE, this::sell))
                .isInstanceOf(UnknownOutcomeException.class);
        assertThat(runs).hasValue(1);
        assertThat(stock()).isEqualTo(hasArrived ? 9 : 10);
    }

    private void useUpIds(int count) {
        Jdbi.create(servers.dataSource(database, "primary")).useHandle(handle -> {
            for (int i = 0; i < count; i++) {
                handle.execute("SELECT pg_current_xact_id()");
            }
        });
    }

    @Test
    void commitThatWaitsForItsStandbyWhenThePrimaryDiesIsUnknownAndKept() throws Exception {
        start(true, "synchronous_commit=remote_apply");
        Jdbi standby = Jdbi.create(servers.onStandby(database).dataSource());
        standby.useHandle(handle -> handle.execute("SELECT pg_wal_replay_pause()"));
        FencedTransactions fencing = fencing(servers.dataSource(database, "primary"));
        CompletableFuture<Throwable> selling =
                CompletableFuture.supplyAsync(() -> catchThrowable(() -> fencing.useTransaction(LEASE, this::sell)));
        Jdbi primary = Jdbi.create(database.dataSource());
        Awaitility.await()
                .until(() -> primary.withHandle(handle -> handle.createQuery(
                                "SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                        .mapTo(Boolean.class)
                        .one()));
        servers.awaitStandbyHasWritten();
        servers.failOver();
        assertThat(selling.get()).isInstanceOf(UnknownOutcomeException.class);
        assertThat(runs).hasValue(1);
        assertThat(stock()).as("the standby had it").isEqualTo(9);
    }

    @Test
    void everythingAcknowledgedIsOnTheSynchronousStandby() {
        start(true);
        FencedTransactions fencing = fencing(servers.dataSource(database, "primary"));
        for (int i = 0; i < 5; i++) {
            fencing.useTransaction(LEASE, this::sell);
        }
        servers.failOver();
        assertThat(stock()).isEqualTo(5);
        fencing.useTransaction(LEASE, this::sell);
        assertThatThrownBy(() -> fencing.useTransaction("sku:4711", FencingToken.of(6), this::sell))
                .as("the fence row came along")
                .isInstanceOf(StaleTokenException.class);
        assertThat(stock()).isEqualTo(4);
    }

    @Test
    void standbyIsAskedAgainUntilItHasTakenOver() throws Exception {
        start(false);
        BreakingDataSource breaking = new BreakingDataSource(servers.dataSource(database, "any"));
        CompletableFuture<Void> promoted = new CompletableFuture<>();
        breaking.loseAfterCommit(() -> {
            servers.awaitStandby();
            servers.primary().kill();
            CompletableFuture.runAsync(servers::promote).whenComplete((nothing, e) -> promoted.complete(null));
        });
        assertThatThrownBy(() -> fencing(breaking).useTransaction(LEASE, this::sell))
                .isInstanceOf(UnknownOutcomeException.class);
        promoted.get();
        assertThat(runs).hasValue(1);
        assertThat(stock()).isEqualTo(9);
    }

    @Test
    void connectionThroughProxyThatWasSwitchedToStandbyIsReadOnlyAndThenWell() {
        start(false);
        PGSimpleDataSource throughProxy = database.dataSource();
        try (Proxy proxy = Proxy.to(database)) {
            throughProxy.setServerNames(new String[] {proxy.host()});
            throughProxy.setPortNumbers(new int[] {proxy.port()});
            FencedTransactions fencing = fencing(throughProxy);
            fencing.useTransaction(LEASE, this::sell);
            servers.awaitStandby();
            PGSimpleDataSource standby = servers.onStandby(database).dataSource();
            proxy.switchTo(standby.getServerNames()[0], standby.getPortNumbers()[0]);
            for (FencedTransactions each : java.util.List.of(fencing, fencing.withoutFenceRow())) {
                assertThatThrownBy(() -> each.useTransaction(LEASE, this::sell))
                        .isInstanceOf(ReadOnlyDatabaseException.class)
                        .hasMessageContaining("25006");
            }
            assertThat(stock()).isEqualTo(9);
            servers.failOver();
            fencing.useTransaction(LEASE, this::sell);
            assertThat(stock()).isEqualTo(8);
        }
    }
}
