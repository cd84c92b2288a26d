package io.github.fencedwrite.examples.inventory.http;

import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.examples.inventory.RejectedException;
import io.github.fencedwrite.jdbi.InsufficientValidityException;
import io.github.fencedwrite.jdbi.RetryableWriteException;
import io.github.fencedwrite.jdbi.UnknownOutcomeException;
import io.github.fencedwrite.jdbi.WriteNotAppliedException;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns each exception that leaves a handler into a {@link Problem}; the only place that knows which status is which.
 */
public final class Problems {

    private static final Logger log = LoggerFactory.getLogger(Problems.class);

    private Problems() {}

    /** Adds the handlers to a server. */
    public static void addTo(RoutesConfig routes) {
        routes.exception(Exception.class, (e, ctx) -> of(e).answer(ctx));
        routes.exception(HttpResponseException.class, (e, ctx) -> of(e).answer(ctx)); // else Javalin answers itself
        routes.get("/problems/{type}", Problems::explain);
    }

    private static Problem of(Exception e) {
        if (e instanceof ProblemException problem) {
            return new Problem(problem.type(), message(e));
        } else if (e instanceof RejectedException rejected) {
            return new Problem(typeOf(rejected.reason()), message(e));
        } else if (e instanceof LockNotAcquiredException refused) {
            return new Problem(typeOf(refused.reason()), message(e));
        } else if (e instanceof InsufficientValidityException) {
            return new Problem(ProblemType.LOCK_BUSY, message(e));
        } else if (e instanceof UnknownOutcomeException) {
            return new Problem(ProblemType.OUTCOME_UNKNOWN, message(e));
        } else if (e instanceof RetryableWriteException) {
            return new Problem(ProblemType.DATABASE_AWAY, message(e));
        } else if (e instanceof WriteNotAppliedException) {
            return new Problem(ProblemType.STALE_WRITE, message(e));
        } else if (e instanceof HttpResponseException http) {
            return new Problem(typeOf(http.getStatus()), message(e));
        } else if (DatabaseAway.isCauseOf(e)) {
            return new Problem(ProblemType.DATABASE_AWAY, "The database does not answer.");
        }
        log.error("A request failed", e);
        return new Problem(ProblemType.INTERNAL, "The request failed; the log of the service says why.");
    }

    private static ProblemType typeOf(RejectedException.Reason reason) {
        return switch (reason) {
            case INVALID_VALUE -> ProblemType.INVALID_VALUE;
            case UNKNOWN_PRODUCT, UNKNOWN_WAREHOUSE, NOT_STOCKED, UNKNOWN_RESERVATION, UNKNOWN_TRANSFER ->
                ProblemType.NOT_FOUND;
            case NOT_ENOUGH_STOCK -> ProblemType.NOT_ENOUGH_STOCK;
            case NOT_APPROVED -> ProblemType.NOT_APPROVED;
            case WRONG_STATE -> ProblemType.WRONG_STATE;
            case KEY_REUSED -> ProblemType.KEY_REUSED;
        };
    }

    private static ProblemType typeOf(LockNotAcquiredException.Reason reason) {
        return switch (reason) {
            case CONTENDED, TIMEOUT, INTERRUPTED -> ProblemType.LOCK_BUSY;
            case NO_QUORUM, MISCONFIGURED -> ProblemType.LOCK_NODES_AWAY;
        };
    }

    private static ProblemType typeOf(int status) {
        return switch (status) {
            case 400 -> ProblemType.MALFORMED_JSON;
            case 404 -> ProblemType.NOT_FOUND;
            case 405 -> ProblemType.METHOD_NOT_ALLOWED;
            case 413 -> ProblemType.TOO_LARGE;
            default -> ProblemType.INTERNAL;
        };
    }

    private static String message(Exception e) {
        return Optional.ofNullable(e.getMessage()).orElse(e.getClass().getSimpleName());
    }

    private static void explain(Context ctx) {
        ProblemType type = Arrays.stream(ProblemType.values())
                .filter(each -> each.type().equals(ctx.path()))
                .findFirst()
                .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "There is no such problem."));
        ctx.json(type);
    }
}
