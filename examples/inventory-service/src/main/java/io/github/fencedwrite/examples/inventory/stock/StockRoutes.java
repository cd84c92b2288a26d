package io.github.fencedwrite.examples.inventory.stock;

import io.github.fencedwrite.examples.inventory.RejectedException;
import io.github.fencedwrite.examples.inventory.http.JsonBody;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** {@code /warehouses/{warehouse}/stock}. */
public final class StockRoutes {

    private final StockService stock;

    /** Creates the routes. */
    public StockRoutes(StockService stock) {
        this.stock = stock;
    }

    /** Adds the routes to a server. */
    public void addTo(RoutesConfig routes) {
        routes.get("/warehouses/{warehouse}/stock", ctx -> ctx.json(stock.list(ctx.pathParam("warehouse"))));
        routes.get("/warehouses/{warehouse}/stock/{sku}", ctx -> ctx.json(stock.get(key(ctx))));
        routes.put("/warehouses/{warehouse}/stock/{sku}", this::put);
    }

    private void put(Context ctx) {
        StockKey key = key(ctx);
        JsonBody body = JsonBody.of(ctx, "available");
        long available = body.integer("available");
        if (available < 0 || available > Stock.MOST) {
            throw new RejectedException(
                    RejectedException.Reason.INVALID_VALUE, "available is 0 to " + Stock.MOST + ", not " + available);
        }
        ctx.json(stock.put(new Stock(key.warehouse(), key.sku(), (int) available)));
    }

    private static StockKey key(Context ctx) {
        return new StockKey(ctx.pathParam("warehouse"), ctx.pathParam("sku"));
    }
}
