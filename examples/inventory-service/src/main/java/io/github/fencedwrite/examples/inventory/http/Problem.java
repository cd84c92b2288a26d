package io.github.fencedwrite.examples.inventory.http;

import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A problem as RFC 9457 has it, answered as {@code application/problem+json}.
 *
 * @param detail what was wrong this time
 */
record Problem(ProblemType type, String detail) {

    private static final String RETRY_AFTER_SECONDS = "1";

    void answer(Context ctx) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", type.type());
        body.put("title", type.title());
        body.put("status", type.status());
        body.put("detail", detail);
        body.put("whatToDo", type.whatToDo());
        body.put("instance", ctx.path());
        if (type.status() == 503) {
            ctx.header("Retry-After", RETRY_AFTER_SECONDS);
        }
        ctx.status(type.status()).json(body).contentType("application/problem+json");
    }
}
