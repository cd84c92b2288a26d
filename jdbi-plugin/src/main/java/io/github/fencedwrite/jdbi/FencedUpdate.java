package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import io.github.fencedwrite.jdbi.internal.statement.FencedCall;
import io.github.fencedwrite.jdbi.internal.statement.PresentedToken;
import org.jdbi.v3.core.statement.Update;

/** An update with a guard. Like the update itself it is used once, by one thread. */
public final class FencedUpdate {

    private final Update update;
    private final FluentGuard guard;

    FencedUpdate(Update update, PresentedToken token) {
        this.update = update;
        this.guard = FluentGuard.put(update, token, GuardSpec.write(FenceMode.FIRST, Rows.ONE, GuardSpec.COLUMN));
    }

    /** Sets what is expected of the row's token; {@link FenceMode#FIRST} unless set. */
    public FencedUpdate mode(FenceMode expected) {
        guard.mode(expected);
        return this;
    }

    /** Sets how many rows the condition covers; {@link Rows#ONE} unless set. */
    public FencedUpdate rows(Rows covered) {
        guard.rows(covered);
        return this;
    }

    /** Sets the token column; {@code last_token} unless set. */
    public FencedUpdate column(String name) {
        guard.column(name);
        return this;
    }

    /**
     * Sets whether a write of only a part of several rows is returned by {@link #execute}; else it is thrown there, too. False
     * unless set; see {@link Fenced#partial()}.
     */
    public FencedUpdate partial(boolean accepted) {
        guard.partial(accepted);
        return this;
    }

    /**
     * Runs the statement. A plain INSERT in a transaction is preceded by a savepoint, so that a key which is taken can be
     * explained.
     *
     * @return what became of it; stale and the like are returned, not thrown
     * @throws StatementRefusedException if the statement cannot be guarded
     * @throws PartialWriteException if only a part of several rows was written and {@link #partial} is not set
     * @throws RetryableWriteException if the database gave up and asks for a repetition
     */
    public WriteOutcome execute() {
        FencedCall call = guard.attach(true);
        update.execute();
        return call.outcomes().get(0);
    }

    /**
     * Runs the statement and insists.
     *
     * @return how many rows were written; 0 if there was none to write
     * @throws WriteNotAppliedException for every outcome but applied and not found
     */
    public long executeOrThrow() {
        FencedCall call = guard.attach(false);
        update.execute();
        return call.outcomes().get(0) instanceof WriteOutcome.Applied applied ? applied.rows() : 0;
    }
}
