package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.examples.servers.PgBouncer;
import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The four levels on a strict table through PgBouncer in transaction mode, where two statements of a client may run in two
 * sessions, and its neighbour's statement in the one it has just left. Needs the program; {@code -Dtools=required} insists.
 */
class PgBouncerIT {

    private PostgresDatabase database;
    private PgBouncer bouncer;
    private Jdbi jdbi;
    private Dao dao;

    interface Dao {
        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        WriteOutcome set(String sku, int stock, FencingToken token);

        @Claim
        @SqlQuery("SELECT stock FROM inventory WHERE sku = :sku")
        int claim(String sku, FencingToken token);

        @Fenced(mode = FenceMode.CLAIMED)
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        WriteOutcome setClaimed(String sku, int stock, FencingToken token);

        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        void plain(String sku, int stock);

        @SqlQuery("SELECT stock FROM inventory WHERE sku = :sku")
        int stock(String sku);
    }

    @BeforeEach
    void start() {
        Optional<Path> program = PgBouncer.program();
        if (program.isEmpty()) {
            assertThat(System.getProperty("tools"))
                    .as("this machine has no pgbouncer")
                    .isNotEqualTo("required");
            Assumptions.abort("not run: this machine has no pgbouncer (Debian: pgbouncer)");
        }
        database = Postgres.shared().newDatabase();
        bouncer = PgBouncer.start(program.get(), database);
        FencingMigrations.on(bouncer.dataSource()).install();
        jdbi = Jdbi.create(bouncer.dataSource())
                .installPlugin(new SqlObjectPlugin())
                .installPlugin(FencingPlugin.announcing());
        dao = jdbi.onDemand(Dao.class);
        jdbi.useHandle(handle -> {
            handle.execute("CREATE TABLE inventory (sku text PRIMARY KEY, stock int NOT NULL)");
            handle.execute("INSERT INTO inventory VALUES ('4711', 1000), ('4712', 0)");
            handle.execute("SELECT fencing.protect('public.inventory')");
            handle.execute("SELECT fencing.enforce('public.inventory', 'strict')");
        });
    }

    @AfterEach
    void stop() {
        if (bouncer != null) {
            bouncer.close();
            database.close();
        }
    }

    @Test
    void guardedStatements() {
        assertThat(dao.set("4711", 9, token(33))).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(dao.set("4711", 8, token(32))).isEqualTo(new WriteOutcome.Stale(token(32), token(33)));
        assertNothingIsAnnouncedAnyMore();
    }

    @Test
    void claimedRows() {
        assertThat(dao.claim("4711", token(33))).isEqualTo(1000);
        assertThat(dao.setClaimed("4711", 9, token(33))).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(dao.setClaimed("4711", 8, token(33))).isEqualTo(new WriteOutcome.Applied(1));
        dao.claim("4711", token(34));
        assertThat(dao.setClaimed("4711", 7, token(33))).isEqualTo(new WriteOutcome.Stale(token(33), token(34)));
        assertNothingIsAnnouncedAnyMore();
    }

    @Test
    void fenceRows() {
        FencedTransactions fencing = Fencing.of(jdbi);
        fencing.inTransaction(TestLease.of("order:1", 33), handle -> {
            handle.execute("UPDATE inventory SET stock = 5 WHERE sku = '4711'");
            handle.execute("INSERT INTO inventory (sku, stock) VALUES ('new', 1)");
            return handle.execute("DELETE FROM inventory WHERE sku = '4712'");
        });

        assertThatThrownBy(() -> fencing.inTransaction(TestLease.of("order:1", 32), handle -> 1))
                .isInstanceOf(StaleTokenException.class);
        assertThat(dao.stock("4711")).isEqualTo(5);
        assertNothingIsAnnouncedAnyMore();
        String lockTimeout = jdbi.withHandle(handle ->
                handle.createQuery("SHOW lock_timeout").mapTo(String.class).one());
        assertThat(lockTimeout)
                .as("the limits of a fence-row transaction end with it")
                .isEqualTo("0");
    }

    @Test
    void keepsAnExactCountWhileManyClientsShareTwoSessions() throws Exception {
        AtomicLong tokens = new AtomicLong(100);
        ExecutorService sellers = Executors.newFixedThreadPool(6);
        try {
            List<Future<Integer>> running = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                boolean inTransactions = i % 2 == 0;
                running.add(sellers.submit(() -> {
                    int sold = 0;
                    for (int sale = 0; sale < 40; sale++) {
                        sold += inTransactions ? sellInTransaction(tokens) : sellClaimed(tokens);
                    }
                    return sold;
                }));
            }
            int sold = 0;
            for (Future<Integer> seller : running) {
                sold += seller.get();
            }
            assertThat(sold).isPositive();
            assertThat(dao.stock("4711")).isEqualTo(1000 - sold);
        } finally {
            sellers.shutdownNow();
        }
        assertNothingIsAnnouncedAnyMore();
    }

    private int sellClaimed(AtomicLong tokens) {
        FencingToken token = token(tokens.incrementAndGet());
        try {
            int stock = dao.claim("4711", token);
            return dao.setClaimed("4711", stock - 1, token).equals(new WriteOutcome.Applied(1)) ? 1 : 0;
        } catch (StaleTokenException anotherWasFaster) {
            return 0;
        }
    }

    private int sellInTransaction(AtomicLong tokens) {
        FencingToken token = token(tokens.incrementAndGet());
        try {
            return Fencing.of(jdbi).<Integer, RuntimeException>inTransaction("sku:4711", token, handle -> {
                Dao same = handle.attach(Dao.class);
                int stock = same.claim("4711", token);
                return same.setClaimed("4711", stock - 1, token).equals(new WriteOutcome.Applied(1)) ? 1 : 0;
            });
        } catch (StaleTokenException anotherWasFaster) {
            return 0;
        }
    }

    /** In neither of the two sessions: plain writes are refused however often they are tried. */
    private void assertNothingIsAnnouncedAnyMore() {
        for (int i = 0; i < 8; i++) {
            assertThatThrownBy(() -> dao.plain("4711", 1)).isInstanceOf(NotAnnouncedException.class);
        }
    }

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }
}
