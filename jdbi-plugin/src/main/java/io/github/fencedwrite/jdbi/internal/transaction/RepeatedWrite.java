package io.github.fencedwrite.jdbi.internal.transaction;

import io.github.fencedwrite.jdbi.WriteNotAppliedException;
import io.github.fencedwrite.jdbi.WriteOutcome;
import io.github.fencedwrite.jdbi.internal.postgres.SqlStates;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jdbi.v3.core.ConnectionException;
import org.jspecify.annotations.Nullable;

/** Repeats a guarded write in autocommit while nobody can tell whether it was made. */
public final class RepeatedWrite {

    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Supplier<WriteOutcome> write;
    private WriteOutcome.@Nullable Unknown unknown;

    private RepeatedWrite(Supplier<WriteOutcome> write) {
        this.write = write;
    }

    /** Runs {@code write} up to {@code attempts} times. */
    public static WriteOutcome run(int attempts, Supplier<WriteOutcome> write) {
        if (attempts < 1) {
            throw new IllegalArgumentException("At least one attempt is needed, not " + attempts + ".");
        }
        RepeatedWrite repeated = new RepeatedWrite(write);
        long begin = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            WriteOutcome outcome = repeated.settled(repeated.attempt());
            boolean again = outcome instanceof WriteOutcome.Unknown || outcome instanceof WriteOutcome.Retryable;
            if (!again || attempt >= attempts || System.nanoTime() - begin > LIMIT_NANOS) {
                return repeated.unknown != null && !outcome.isApplied() ? repeated.unknown : outcome;
            }
            if (Pause.before(attempt + 1)) {
                Thread.currentThread().interrupt();
                return repeated.unknown != null ? repeated.unknown : outcome;
            }
        }
    }

    private WriteOutcome attempt() {
        try {
            return write.get();
        } catch (WriteNotAppliedException e) {
            return e.outcome();
        } catch (ConnectionException e) {
            SQLException sql = SqlStates.find(e);
            return new WriteOutcome.Retryable(sql == null ? "" : SqlStates.of(sql)); // nothing can have been sent
        }
    }

    /** What an outcome says about all attempts so far. */
    private WriteOutcome settled(WriteOutcome outcome) {
        if (outcome instanceof WriteOutcome.Unknown now) {
            unknown = now;
        } else if (outcome instanceof WriteOutcome.AlreadyWritten && unknown != null) {
            return new WriteOutcome.Applied(1);
        }
        return outcome;
    }
}
