package io.github.fencedwrite;

import io.github.fencedwrite.internal.text.Printable;

/**
 * A storage holds a token that no client of these nodes can have been given: too close to 2<sup>53</sup>, or more than a day
 * ahead of the nodes' clocks. Lifting the counters there would poison them too, so it is not done.
 */
public final class PoisonedTokenException extends FencedWriteException {

    private static final long serialVersionUID = 1L;

    private final String resource;
    private final long storedToken;
    private final long limit;

    /** For the library itself. */
    public PoisonedTokenException(String resource, long storedToken, long limit) {
        super("The storage holds token " + storedToken + " for \"" + Printable.text(resource) + "\", but none above "
                + limit
                + " can have been handed out yet. Somebody wrote it by hand, by mistake or from another token source."
                + " Find out who, and set the row back by the operator's way out: SELECT fencing.rebase(...).");
        this.resource = resource;
        this.storedToken = storedToken;
        this.limit = limit;
    }

    /** The resource of the lease. */
    public String resource() {
        return resource;
    }

    /** The token that the storage holds. */
    public long storedToken() {
        return storedToken;
    }

    /** The greatest token that would have been believed. */
    public long limit() {
        return limit;
    }
}
