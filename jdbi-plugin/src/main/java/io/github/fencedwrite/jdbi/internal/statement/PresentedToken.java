package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.LeaseNotHeldException;
import org.jspecify.annotations.Nullable;

/**
 * The token of a write and, where it was given, the lease that it belongs to.
 *
 * @param lease null if only the token is known
 */
public record PresentedToken(FencingToken token, @Nullable Lease lease) {

    /** A token from anywhere. */
    public static PresentedToken of(FencingToken token) {
        if (token == null) {
            throw missing();
        }
        return new PresentedToken(token, null);
    }

    /** The token of a lease. */
    public static PresentedToken of(Lease lease) {
        if (lease == null) {
            throw missing();
        }
        return new PresentedToken(lease.token(), lease);
    }

    /** An argument of a method, which is a {@link FencingToken} or a {@link Lease}. */
    public static PresentedToken ofArgument(@Nullable Object argument) {
        if (argument instanceof Lease lease) {
            return of(lease);
        } else if (argument instanceof FencingToken token) {
            return of(token);
        }
        throw missing();
    }

    private static NullPointerException missing() {
        return new NullPointerException("The fencing token is null. Take it from the lease that protects this write "
                + "(lease.token()); a write without a lease belongs into a statement that is not fenced.");
    }

    /**
     * Refuses to begin a write with a lease that was given back before its time. One that has run out is not refused: its holder
     * may have been paused, and whether anybody has written since is what the guard finds out.
     */
    void requireNotReleased() {
        if (lease != null && !lease.isValid() && lease.sinceExpiry().isZero()) {
            throw new LeaseNotHeldException(lease.resource());
        }
    }
}
