package io.github.fencedwrite.examples.inventory.http;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** Everything that can be wrong with a request, each with its status and, for clients, what to do about it. */
@JsonFormat(shape = JsonFormat.Shape.OBJECT)
public enum ProblemType {
    MALFORMED_JSON(400, "The body cannot be read", "Correct the body."),
    INVALID_VALUE(422, "A value is missing or out of range", "Correct the value."),
    NOT_FOUND(404, "There is no such thing", "Check the address."),
    NOT_ENOUGH_STOCK(409, "Not enough in stock", "Ask for less, or later."),
    NOT_APPROVED(409, "The sale was not approved", "Ask the approver."),
    WRONG_STATE(409, "The reservation is in another state", "Look at the reservation and decide anew."),
    KEY_REUSED(422, "The idempotency key belongs to another request", "Send a new key for a new request."),
    NOT_NOW(409, "This is not possible now", "Wait a little."),
    STALE_WRITE(409, "Others have taken over twice meanwhile", "Nothing was written. Repeat the request."),
    LOCK_BUSY(503, "The lock was not acquired in time", "Nothing was written. Repeat the request a little later."),
    LOCK_NODES_AWAY(503, "Too few lock nodes answer", "Nothing was written. Repeat the request later."),
    DATABASE_AWAY(503, "The database does not answer", "Repeat the request later, with the same idempotency key."),
    OUTCOME_UNKNOWN(
            503,
            "The database was lost while it committed",
            "Repeat the request with the same idempotency key: it takes effect once."),
    METHOD_NOT_ALLOWED(405, "This address does not take this method", "Check the method."),
    TOO_LARGE(413, "The body is too large", "Send less."),
    NOT_JSON(415, "The body is not declared as JSON", "Send Content-Type: application/json."),
    INTERNAL(500, "Something is wrong in the service", "Report it, with the time.");

    private final int status;
    private final String title;
    private final String whatToDo;

    ProblemType(int status, String title, String whatToDo) {
        this.status = status;
        this.title = title;
        this.whatToDo = whatToDo;
    }

    /** The address of this type, which {@code GET} explains. */
    @JsonProperty
    public String type() {
        return "/problems/" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The HTTP status. */
    @JsonProperty
    public int status() {
        return status;
    }

    /** The same words for each problem of this type. */
    @JsonProperty
    public String title() {
        return title;
    }

    /** What the client should do. */
    @JsonProperty
    public String whatToDo() {
        return whatToDo;
    }
}
