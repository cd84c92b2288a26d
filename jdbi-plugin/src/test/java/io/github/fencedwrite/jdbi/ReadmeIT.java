package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LeaseRequest;
import io.github.fencedwrite.jdbi.micrometer.WriteMetrics;
import io.github.fencedwrite.migrations.FencingMigrations;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/** The snippets of the README stand here as well, where they are compiled and run. */
class ReadmeIT {

    private final InventoryFixture inventory = new InventoryFixture();

    record Item(String sku, int stock) {}

    interface StockDao {
        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        void setStock(String sku, int stock, Lease lease);

        @Fenced
        @SqlUpdate("DELETE FROM inventory WHERE sku = :sku")
        WriteOutcome delete(String sku, Lease lease);
    }

    @RegisterConstructorMapper(Item.class)
    interface Mapped extends ClaimDao {}

    interface ClaimDao {
        @Claim
        @SqlQuery("SELECT * FROM inventory WHERE sku = :sku")
        Optional<Item> claim(String sku, FencingToken token);

        @Fenced(mode = FenceMode.CLAIMED)
        @SqlUpdate("UPDATE inventory SET stock = stock - :quantity WHERE sku = :sku")
        void take(String sku, int quantity, FencingToken token);
    }

    interface OldDao {
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        void setStock(String sku, int stock);
    }

    static final class Locks {
        Lease acquire(LeaseRequest request, Duration waitAtMost) {
            return new TestLease(request.resource(), 50, request.ttl());
        }
    }

    @BeforeEach
    void tables() {
        FencingMigrations.on(inventory.database.dataSource()).install();
        inventory.jdbi.useHandle(handle -> handle.execute("CREATE TABLE reservation (sku text, quantity int)"));
    }

    private static Jdbi install(DataSource dataSource) {
        Jdbi jdbi = Jdbi.create(dataSource).installPlugin(new SqlObjectPlugin()).installPlugin(new FencingPlugin());
        return jdbi;
    }

    @Test
    void levelsOneAndTwo() {
        Jdbi jdbi = install(inventory.database.dataSource());
        StockDao dao = jdbi.onDemand(StockDao.class);
        dao.setStock("4711", 42, TestLease.of("sku:4711", 5));
        assertThat(dao.delete("4711", TestLease.of("sku:4711", 4))).isInstanceOf(WriteOutcome.Stale.class);
        Mapped claims = jdbi.onDemand(Mapped.class);
        assertThat(claims.claim("4711", FencingToken.of(6))).contains(new Item("4711", 42));
        claims.take("4711", 2, FencingToken.of(6));
        assertThat(inventory.stock("4711")).isEqualTo(40);
    }

    @Test
    void levelThree() {
        Jdbi jdbi = inventory.jdbi;
        Locks locks = new Locks();
        FencedTransactions fencing = Fencing.of(jdbi).withLocks(locks::acquire);
        int left = fencing.inLockedTransaction("sku:4711", Duration.ofSeconds(10), Duration.ofSeconds(3), handle -> {
            handle.execute("DELETE FROM reservation WHERE sku = ?", "4711");
            handle.execute("INSERT INTO reservation (sku, quantity) VALUES (?, ?)", "4711", 1);
            return handle.createQuery("SELECT stock FROM inventory WHERE sku = '4711'")
                    .mapTo(Integer.class)
                    .one();
        });
        assertThat(left).isEqualTo(10);
    }

    @Test
    void withoutSqlObjects() {
        inventory.jdbi.useHandle(this::fluently);
    }

    private void fluently(Handle handle) {
        FencingToken token = FencingToken.of(5);
        WriteOutcome outcome = Fencing.fence(
                        handle.createUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
                                .bind("stock", 5)
                                .bind("sku", "4711"),
                        token)
                .execute();
        Item item = Fencing.claim(
                        handle.createQuery("SELECT * FROM inventory WHERE sku = :sku")
                                .bind("sku", "4711"),
                        token)
                .query()
                .map(ConstructorMapper.of(Item.class))
                .one();
        WriteOutcome put =
                Fencing.row("inventory").key("sku", "4712").set("stock", 7).upsert(handle, token);
        assertThat(outcome).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(item).isEqualTo(new Item("4711", 5));
        assertThat(put).isEqualTo(new WriteOutcome.Applied(1));
    }

    @Test
    void codeThatCannotTakeToken() {
        FencingToken token = FencingToken.of(5);
        Jdbi jdbi = inventory.jdbi;
        OldDao oldDao = jdbi.onDemand(OldDao.class);
        Fencing.guarding(jdbi, token)
                .table("inventory", FenceMode.FIRST)
                .unfenced("audit")
                .use(handle -> oldDao.setStock("4711", 3));
        assertThat(inventory.stock("4711")).isEqualTo(3);
    }

    @Test
    void outcomesAreCounted() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Jdbi jdbi = install(inventory.database.dataSource());
        jdbi.installPlugin(new FencingPlugin().listener(new WriteMetrics(registry, "inventory")));
        jdbi.onDemand(StockDao.class).setStock("4711", 42, TestLease.of("sku:4711", 5));
        assertThat(registry.get("fencedwrite.writes")
                        .tags("table", "inventory", "outcome", "applied")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void plainJdbcInSpring() {
        JdbcTemplate jdbcTemplate = new JdbcTemplate(inventory.database.dataSource());
        FencingToken token = FencingToken.of(5);
        WriteOutcome written = jdbcTemplate.execute((ConnectionCallback<WriteOutcome>) connection ->
                FencedJdbc.on(connection).update("UPDATE inventory SET stock = ? WHERE sku = ?", token, 5, "4711"));
        assertThat(written).isEqualTo(new WriteOutcome.Applied(1));
    }

    @Test
    void everySnippetOfTheReadmeIsInThisFile() throws IOException {
        Path module = Files.exists(Path.of("jdbi-plugin")) ? Path.of("jdbi-plugin") : Path.of(".");
        String source = Files.readString(module.resolve("src/test/java/io/github/fencedwrite/jdbi/ReadmeIT.java"));
        Matcher snippets =
                Pattern.compile("(?s)```java\n(.*?)```").matcher(Files.readString(module.resolve("README.md")));
        int count = 0;
        while (snippets.find()) {
            count++;
            assertThat(squeeze(source)).contains(squeeze(snippets.group(1)));
        }
        assertThat(count).isGreaterThanOrEqualTo(7);
    }

    /** Line breaks and indentation are the formatter's, so they are not compared. */
    private static String squeeze(String code) {
        return code.replaceAll("\\s+", "");
    }
}
