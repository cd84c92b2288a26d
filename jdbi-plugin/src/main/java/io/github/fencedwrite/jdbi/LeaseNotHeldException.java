package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencedWriteException;

/** A write was begun with a lease that had been released, or lost before its time was over; nothing was written. */
public final class LeaseNotHeldException extends FencedWriteException {

    private static final long serialVersionUID = 1L;

    private final String resource;

    /**
     * Describes the refusal.
     *
     * @param resource the resource of the lease
     */
    public LeaseNotHeldException(String resource) {
        super("The lease on \"" + resource
                + "\" was released, or lost before its time was over, so no write begins with it. Write "
                + "before the lease is closed, or acquire again.");
        this.resource = resource;
    }

    /** The resource of the lease. */
    public String resource() {
        return resource;
    }
}
