package io.github.fencedwrite.examples.inventory.reservation;

import io.github.fencedwrite.examples.inventory.RejectedException;
import io.github.fencedwrite.examples.inventory.http.JsonBody;
import io.github.fencedwrite.examples.inventory.idempotency.IdempotentRequest;
import io.github.fencedwrite.examples.inventory.stock.Quantity;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.UUID;

/** {@code /reservations}. */
public final class ReservationRoutes {

    private final ReservationService reservations;

    /** Creates the routes. */
    public ReservationRoutes(ReservationService reservations) {
        this.reservations = reservations;
    }

    /** Adds the routes to a server. */
    public void addTo(RoutesConfig routes) {
        routes.post("/reservations", this::reserve);
        routes.get("/reservations/{id}", ctx -> ctx.json(reservations.get(id(ctx))));
        routes.post("/reservations/{id}/confirm", ctx -> ctx.json(reservations.confirm(id(ctx))));
        routes.post("/reservations/{id}/cancel", ctx -> ctx.json(reservations.cancel(id(ctx))));
    }

    private void reserve(Context ctx) {
        JsonBody body = JsonBody.of(ctx, "warehouse", "sku", "quantity");
        StockKey stock = new StockKey(body.text("warehouse"), body.text("sku"));
        Quantity quantity = Quantity.of(body.integer("quantity"));
        IdempotentRequest request = IdempotentRequest.of(
                ctx.header(IdempotentRequest.HEADER), "reserve", stock.warehouse(), stock.sku(), quantity.pieces());
        Reservation reservation = reservations.reserve(request, stock, quantity);
        ctx.status(HttpStatus.CREATED)
                .header("Location", "/reservations/" + reservation.id())
                .json(reservation);
    }

    private static UUID id(Context ctx) {
        String id = ctx.pathParam("id");
        try {
            return UUID.fromString(id);
        } catch (IllegalArgumentException e) {
            throw new RejectedException(
                    RejectedException.Reason.UNKNOWN_RESERVATION, "There is no reservation \"" + id + "\".");
        }
    }
}
