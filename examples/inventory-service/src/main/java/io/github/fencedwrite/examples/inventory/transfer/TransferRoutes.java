package io.github.fencedwrite.examples.inventory.transfer;

import io.github.fencedwrite.examples.inventory.RejectedException;
import io.github.fencedwrite.examples.inventory.http.JsonBody;
import io.github.fencedwrite.examples.inventory.idempotency.IdempotentRequest;
import io.github.fencedwrite.examples.inventory.product.Product;
import io.github.fencedwrite.examples.inventory.stock.Quantity;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.UUID;

/** {@code /transfers}. */
public final class TransferRoutes {

    private final TransferService transfers;

    /** Creates the routes. */
    public TransferRoutes(TransferService transfers) {
        this.transfers = transfers;
    }

    /** Adds the routes to a server. */
    public void addTo(RoutesConfig routes) {
        routes.post("/transfers", this::transfer);
        routes.get("/transfers/{id}", ctx -> ctx.json(transfers.get(id(ctx))));
    }

    private void transfer(Context ctx) {
        JsonBody body = JsonBody.of(ctx, "from", "to", "sku", "quantity");
        Transfer wanted = Transfer.of(
                StockKey.requireWarehouse(body.text("from")),
                StockKey.requireWarehouse(body.text("to")),
                Product.requireSku(body.text("sku")),
                Quantity.of(body.integer("quantity")));
        IdempotentRequest request = IdempotentRequest.of(
                ctx.header(IdempotentRequest.HEADER),
                "transfer",
                wanted.fromWarehouse(),
                wanted.toWarehouse(),
                wanted.sku(),
                wanted.quantity());
        Transfer made = transfers.transfer(request, wanted);
        ctx.status(HttpStatus.CREATED)
                .header("Location", "/transfers/" + made.id())
                .json(made);
    }

    private static UUID id(Context ctx) {
        String id = ctx.pathParam("id");
        try {
            return UUID.fromString(id);
        } catch (IllegalArgumentException e) {
            throw new RejectedException(
                    RejectedException.Reason.UNKNOWN_TRANSFER, "There is no transfer \"" + id + "\".");
        }
    }
}
