package io.github.fencedwrite.examples.inventory.product;

import io.github.fencedwrite.examples.inventory.http.JsonBody;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** {@code /products}. */
public final class ProductRoutes {

    private final ProductService products;

    /** Creates the routes. */
    public ProductRoutes(ProductService products) {
        this.products = products;
    }

    /** Adds the routes to a server. */
    public void addTo(RoutesConfig routes) {
        routes.get("/products", ctx -> ctx.json(products.list()));
        routes.get("/products/{sku}", ctx -> ctx.json(products.get(ctx.pathParam("sku"))));
        routes.put("/products/{sku}", this::put);
    }

    private void put(Context ctx) {
        JsonBody body = JsonBody.of(ctx, "name", "priceCents");
        ctx.json(products.put(new Product(ctx.pathParam("sku"), body.text("name"), body.integer("priceCents"))));
    }
}
