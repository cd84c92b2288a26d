package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencedWriteException;
import io.github.fencedwrite.FencingToken;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A guarded write did not do what it was asked to; see the subclasses for why. Carries table, key, lease and tokens. */
public abstract sealed class WriteNotAppliedException extends FencedWriteException
        permits AlreadyWrittenException,
                NotClaimedException,
                PartialWriteException,
                RetryableWriteException,
                StaleTokenException,
                TokenRegressionException,
                UnknownOutcomeException {

    private static final long serialVersionUID = 1L;

    private final transient FencedTarget target;
    private final transient WriteOutcome outcome;

    WriteNotAppliedException(String message, FencedTarget target, WriteOutcome outcome, @Nullable Throwable cause) {
        super(message, cause);
        this.target = target;
        this.outcome = outcome;
    }

    /** Table, key, presented token and lease of the write. */
    public final FencedTarget target() {
        return target;
    }

    /** The outcome that this exception stands for. */
    public final WriteOutcome outcome() {
        return outcome;
    }

    /** The token of the write. */
    public final FencingToken presented() {
        return target.presented();
    }

    /** The token that the row carries, if it was found out. */
    public final OptionalLong stored() {
        if (outcome instanceof WriteOutcome.Stale stale && stale.stored() != null) {
            return OptionalLong.of(stale.stored().value());
        } else if (outcome instanceof WriteOutcome.AlreadyWritten same) {
            return OptionalLong.of(same.presented().value());
        } else if (outcome instanceof WriteOutcome.NotClaimed older) {
            return OptionalLong.of(older.stored());
        } else if (outcome instanceof WriteOutcome.Regression regression) {
            return OptionalLong.of(regression.stored().value());
        }
        return OptionalLong.empty();
    }

    /**
     * The exception for an outcome.
     *
     * @param cause what the driver threw, null if it threw nothing
     * @throws IllegalArgumentException for {@link WriteOutcome.Applied} and {@link WriteOutcome.NotFound}, which are none
     */
    public static WriteNotAppliedException of(WriteOutcome outcome, FencedTarget target, @Nullable Throwable cause) {
        if (outcome instanceof WriteOutcome.Stale stale) {
            return new StaleTokenException(stale, target, cause);
        } else if (outcome instanceof WriteOutcome.AlreadyWritten already) {
            return new AlreadyWrittenException(already, target);
        } else if (outcome instanceof WriteOutcome.NotClaimed notClaimed) {
            return new NotClaimedException(notClaimed, target);
        } else if (outcome instanceof WriteOutcome.Partial partial) {
            return new PartialWriteException(partial, target);
        } else if (outcome instanceof WriteOutcome.Regression regression) {
            return new TokenRegressionException(regression, target);
        } else if (outcome instanceof WriteOutcome.Retryable retryable) {
            return new RetryableWriteException(retryable, target, cause);
        } else if (outcome instanceof WriteOutcome.Unknown unknown) {
            return new UnknownOutcomeException(unknown, target, cause);
        }
        throw new IllegalArgumentException(outcome + " is no failure");
    }
}
