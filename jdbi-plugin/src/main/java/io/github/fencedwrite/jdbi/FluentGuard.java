package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import io.github.fencedwrite.jdbi.internal.statement.FencedCall;
import io.github.fencedwrite.jdbi.internal.statement.FencingConfig;
import io.github.fencedwrite.jdbi.internal.statement.PresentedToken;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * The guard of a fluent statement while it is described. It is in force from the start and insists, so that a statement that is
 * executed in another way than through its facade is guarded nevertheless.
 */
final class FluentGuard {

    private final SqlStatement<?> statement;
    private final PresentedToken token;
    private GuardSpec fence;
    private boolean partial;

    private FluentGuard(SqlStatement<?> statement, PresentedToken token, GuardSpec fence) {
        this.statement = statement;
        this.token = token;
        this.fence = fence;
    }

    static FluentGuard put(SqlStatement<?> statement, PresentedToken token, GuardSpec fence) {
        FluentGuard guard = new FluentGuard(statement, token, fence);
        guard.attach(false);
        return guard;
    }

    void mode(FenceMode mode) {
        replace(GuardSpec.write(mode, fence.rows(), fence.column()));
    }

    void rows(Rows rows) {
        replace(
                fence.claim()
                        ? GuardSpec.claim(rows, fence.column())
                        : GuardSpec.write(fence.mode(), rows, fence.column()));
    }

    void column(String column) {
        replace(
                fence.claim()
                        ? GuardSpec.claim(fence.rows(), column)
                        : GuardSpec.write(fence.mode(), fence.rows(), column));
    }

    void partial(boolean accepted) {
        partial = accepted;
    }

    private void replace(GuardSpec other) {
        fence = other;
        attach(false);
    }

    /** A new call of the statement, whose outcomes are only kept ({@code returning}) or also thrown. */
    FencedCall attach(boolean returning) {
        FencedCall call = new FencedCall(fence, fence.claim());
        call.present(token);
        if (returning) {
            call.keepSilent();
            if (partial) {
                call.acceptPartial();
            }
        }
        FencingConfig.fence(statement, call);
        return call;
    }
}
