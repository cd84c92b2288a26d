package io.github.fencedwrite.examples.firststeps;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.Claim;
import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Fenced;
import io.github.fencedwrite.jdbi.FencedTransactions;
import io.github.fencedwrite.jdbi.Fencing;
import io.github.fencedwrite.jdbi.FencingPlugin;
import io.github.fencedwrite.migrations.FencingFlyway;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The snippets of the project's README stand here as well, where they are compiled and run. */
class RootReadmeIT {

    private static OnNewServers servers;
    private static DataSource dataSource;

    private final Duration ttl = Duration.ofSeconds(10);
    private final Duration waitAtMost = Duration.ofSeconds(5);

    public record Inventory(String sku, int stock) {}

    @BeforeAll
    static void start() {
        servers = new OnNewServers();
        dataSource = servers.database.dataSource();
        Flyway.configure()
                .dataSource(dataSource)
                .callbacks(FencingFlyway.callback())
                .load()
                .migrate();
        FencingMigrations.on(dataSource).install();
        Jdbi.create(dataSource).useHandle(handle -> {
            handle.execute("CREATE TABLE inventory (sku text PRIMARY KEY, stock int NOT NULL)");
            handle.execute("CREATE TABLE order_line (order_id int, sku text)");
            handle.execute("SELECT fencing.protect('public.inventory')");
        });
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    @BeforeEach
    void tenPieces() {
        Jdbi.create(dataSource)
                .useHandle(handle -> handle.execute("INSERT INTO inventory (sku, stock) VALUES ('4711', 10)"
                        + " ON CONFLICT (sku) DO UPDATE SET stock = 10"));
    }

    private static FencedLocks onTheseServers() {
        return FencedLocks.builder().nodes(servers.nodes()).quarantine(false).build();
    }

    private static Jdbi install() {
        Jdbi jdbi = Jdbi.create(dataSource).installPlugin(new SqlObjectPlugin()).installPlugin(new FencingPlugin());
        return jdbi;
    }

    @Test
    void clientIsBuiltEvenIfNoNodeAnswers() {
        FencedLocks locks = FencedLocks.builder()
                .nodes("redis://redis-1:6379", "redis://redis-2:6379", "redis://redis-3:6379")
                .build();
        assertThat(locks.nodeStatuses()).hasSize(3);
        locks.close();
    }

    @Test
    void blindWrite() {
        interface InventoryDao {
            @Fenced
            @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
            void setStock(String sku, int stock, Lease lease); // throws StaleTokenException
        }

        try (FencedLocks locks = onTheseServers()) {
            InventoryDao dao = install().onDemand(InventoryDao.class);
            try (Lease lease = locks.acquire("sku:4711", Duration.ofSeconds(10), Duration.ofSeconds(5))) {
                dao.setStock("4711", 42, lease);
            }
        }
        assertThat(stock()).isEqualTo(42);
    }

    @Test
    void readDecideWrite() {
        String sku = "4711";
        int quantity = 3;
        @RegisterConstructorMapper(Inventory.class)
        interface InventoryDao {
            @Claim
            @SqlQuery("SELECT sku, stock FROM inventory WHERE sku = :sku")
            Inventory claim(String sku, Lease lease);

            @Fenced(mode = FenceMode.CLAIMED)
            @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
            void setStock(String sku, int stock, Lease lease);
        }

        try (FencedLocks locks = onTheseServers()) {
            InventoryDao dao = install().onDemand(InventoryDao.class);
            try (Lease lease = locks.acquire("sku:" + sku, ttl, waitAtMost)) {
                Inventory row = dao.claim(sku, lease);
                if (row.stock() >= quantity) {
                    dao.setStock(sku, row.stock() - quantity, lease);
                }
            }
        }
        assertThat(stock()).isEqualTo(7);
    }

    @Test
    void wholeTransaction() {
        int id = 1;
        String sku = "4711";
        Jdbi jdbi = install();
        try (FencedLocks locks = onTheseServers()) {
            FencedTransactions fencing = Fencing.of(jdbi).withLocks(locks::acquire);
            fencing.useLockedTransaction("order:" + id, ttl, waitAtMost, handle -> {
                handle.execute("DELETE FROM order_line WHERE order_id = ?", id);
                handle.execute("INSERT INTO order_line (order_id, sku) VALUES (?, ?)", id, sku);
            });
        }
        int lines = jdbi.withHandle(handle -> handle.createQuery("SELECT count(*) FROM order_line")
                .mapTo(Integer.class)
                .one());
        assertThat(lines).isEqualTo(1);
    }

    @Test
    void everySnippetOfTheReadmeIsInThisFile() throws IOException {
        Path root = Files.exists(Path.of("examples")) ? Path.of(".") : Path.of("../..");
        String source = squeeze(Files.readString(root.resolve(
                "examples/first-steps/src/test/java/" + getClass().getName().replace('.', '/') + ".java")));
        Matcher snippets =
                Pattern.compile("(?s)```java\n(.*?)```").matcher(Files.readString(root.resolve("README.md")));
        int count = 0;
        while (snippets.find()) {
            for (String part : snippets.group(1).split("\n\n(?=\\S)|\n(?=Jdbi )")) {
                count++;
                assertThat(source).contains(squeeze(part));
            }
        }
        assertThat(count).isGreaterThanOrEqualTo(8);
    }

    private static int stock() {
        return Jdbi.create(dataSource)
                .withHandle(handle -> handle.createQuery("SELECT stock FROM inventory")
                        .mapTo(Integer.class)
                        .one());
    }

    /** Line breaks and indentation are the formatter's, so they are not compared. */
    private static String squeeze(String code) {
        return code.replaceAll("\\s+", "");
    }
}
