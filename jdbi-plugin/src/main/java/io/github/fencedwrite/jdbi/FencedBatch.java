package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import io.github.fencedwrite.jdbi.internal.statement.FencedCall;
import io.github.fencedwrite.jdbi.internal.statement.PresentedToken;
import java.util.List;
import org.jdbi.v3.core.statement.PreparedBatch;

/** A batch with a guard on each of its rows. Like the batch itself it is used once, by one thread. */
public final class FencedBatch {

    private final PreparedBatch batch;
    private final FluentGuard guard;

    FencedBatch(PreparedBatch batch, PresentedToken token) {
        this.batch = batch;
        this.guard = FluentGuard.put(batch, token, GuardSpec.write(FenceMode.FIRST, Rows.ONE, GuardSpec.COLUMN));
    }

    /** Sets what is expected of the rows' tokens; {@link FenceMode#FIRST} unless set. */
    public FencedBatch mode(FenceMode expected) {
        guard.mode(expected);
        return this;
    }

    /** Sets the token column; {@code last_token} unless set. */
    public FencedBatch column(String name) {
        guard.column(name);
        return this;
    }

    /**
     * Runs the batch.
     *
     * @return an outcome for each row, in their order; stale and the like are returned, not thrown, so a caller in a
     *     transaction decides whether to keep the others
     */
    public List<WriteOutcome> execute() {
        FencedCall call = guard.attach(true);
        batch.execute();
        return call.outcomes();
    }

    /**
     * Runs the batch and insists.
     *
     * @throws WriteNotAppliedException for the first row that was neither applied nor missing; roll back then
     */
    public void executeOrThrow() {
        guard.attach(false);
        batch.execute();
    }
}
