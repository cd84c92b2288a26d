package io.github.fencedwrite.examples.inventory.story;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.examples.inventory.worker.Ledger;
import io.github.fencedwrite.jdbi.Fencing;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Jdbi;

/** The service's tables with the stories' bookkeeping, and an article for each part of a story. */
public final class StoryDatabase {

    private static final String WAREHOUSE = "berlin";
    private static final FencingToken FIRST = FencingToken.of(1);

    private final Jdbi jdbi;
    private final AtomicInteger articles = new AtomicInteger(4710);

    /** Creates the access to a database that was migrated. */
    public StoryDatabase(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    /** Adds the stories' tables to those of the service, with a history of their own. */
    public static void migrate(DataSource dataSource) {
        Flyway.configure()
                .dataSource(dataSource)
                .locations("classpath:db/story")
                .table("story_schema_history")
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate();
    }

    /** Stocks a new article, which was never locked: hence the first of all tokens. */
    public StockKey newStock(int available) {
        String sku = String.valueOf(articles.incrementAndGet());
        jdbi.useHandle(handle -> {
            Fencing.row("product")
                    .key("sku", sku)
                    .set("name", "Article " + sku)
                    .set("price_cents", 1990)
                    .insert(handle, FIRST);
            Fencing.row("stock")
                    .key("warehouse", WAREHOUSE)
                    .key("sku", sku)
                    .set("available", available)
                    .insert(handle, FIRST);
        });
        return new StockKey(WAREHOUSE, sku);
    }

    /** The bookkeeping. */
    public Ledger ledger() {
        return new Ledger(jdbi);
    }
}
