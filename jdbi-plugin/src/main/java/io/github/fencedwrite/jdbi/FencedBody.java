package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencingToken;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * What is done inside a transaction of {@link Fencing}. May be called again from the start after a rollback, so it should
 * change nothing but the database.
 *
 * @param <R> what it returns
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface FencedBody<R extends @Nullable Object, X extends Exception> {

    /**
     * Does the work.
     *
     * @param handle in a transaction that is committed afterwards; it must not be committed or rolled back in here
     * @param token the token of the lease, for statements that stamp their rows
     */
    R run(Handle handle, FencingToken token) throws X;
}
