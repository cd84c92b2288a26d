package io.github.fencedwrite.examples.inventory.page;

import io.github.fencedwrite.examples.inventory.http.JsonBody;
import io.github.fencedwrite.examples.inventory.http.ProblemException;
import io.github.fencedwrite.examples.inventory.http.ProblemType;
import io.github.fencedwrite.examples.inventory.worker.Guard;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.staticfiles.Location;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * {@code /page}: the events and the buttons of the page. Each button's request is JSON, so that no other site can
 * press it.
 */
final class PageRoutes {

    private final CompletableFuture<Playground> playground;

    /** Creates the routes; they say that the page is not ready as long as {@code playground} is not. */
    PageRoutes(CompletableFuture<Playground> playground) {
        this.playground = playground;
    }

    void addTo(JavalinConfig config) {
        config.staticFiles.add("/page", Location.CLASSPATH);
        RoutesConfig routes = config.routes;
        routes.sse("/page/events", client -> {
            Playground ready = playground();
            ready.events().add(client, ready::state);
        });
        routes.post(
                "/page/stories/{id}", ctx -> press(ctx, body -> playground().play(story(ctx), guard(body)), "guarded"));
        routes.post(
                "/page/workers/{name}/reserve",
                ctx -> press(ctx, body -> playground().reserve(ctx.pathParam("name"), guard(body)), "guarded"));
        routes.post(
                "/page/workers/{name}/pause",
                ctx -> press(ctx, body -> playground().pause(ctx.pathParam("name"))));
        routes.post(
                "/page/workers/{name}/resume",
                ctx -> press(ctx, body -> playground().resume(ctx.pathParam("name"))));
        routes.post("/page/nodes/{name}/{action}", ctx -> press(ctx, body -> changeNode(ctx)));
    }

    private void changeNode(Context ctx) {
        Playground ready = playground();
        ready.change(ready.node(ctx.pathParam("name")), action(ctx.pathParam("action")));
    }

    private static void press(Context ctx, Consumer<JsonBody> button, String... fields) {
        try {
            button.accept(JsonBody.of(ctx, fields));
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.NOT_FOUND, String.valueOf(e.getMessage()));
        } catch (IllegalStateException e) {
            throw new ProblemException(ProblemType.NOT_NOW, String.valueOf(e.getMessage()));
        }
        ctx.status(204);
    }

    private static StoryKind story(Context ctx) {
        String id = ctx.pathParam("id");
        return StoryKind.find(id).orElseThrow(() -> new IllegalArgumentException("There is no story " + id + "."));
    }

    private static Guard guard(JsonBody body) {
        return body.flag("guarded") ? Guard.CLAIM : Guard.NONE;
    }

    private static NodeAction action(String name) {
        return NodeAction.valueOf(name.toUpperCase(Locale.ROOT));
    }

    private Playground playground() {
        Playground ready = playground.getNow(null);
        if (ready == null) {
            throw new ProblemException(ProblemType.NOT_NOW, "The workers are still being started.");
        }
        return ready;
    }
}
