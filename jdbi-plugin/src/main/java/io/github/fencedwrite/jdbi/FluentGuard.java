package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.jdbi.internal.sql.Fence;
import io.github.fencedwrite.jdbi.internal.statement.FencedCall;
import io.github.fencedwrite.jdbi.internal.statement.FencingConfig;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * The guard of a fluent statement while it is described. It is in force from the start and insists, so that a statement that is
 * executed in another way than through its facade is guarded nevertheless.
 */
final class FluentGuard {

    private final SqlStatement<?> statement;
    private final Object token;
    private Fence fence;

    private FluentGuard(SqlStatement<?> statement, Object token, Fence fence) {
        this.statement = statement;
        this.token = token;
        this.fence = fence;
    }

    static FluentGuard put(SqlStatement<?> statement, Object token, Fence fence) {
        FluentGuard guard = new FluentGuard(statement, token, fence);
        guard.attach(false);
        return guard;
    }

    void mode(FenceMode mode) {
        replace(Fence.write(mode, fence.rows(), fence.column()));
    }

    void rows(FenceRows rows) {
        replace(Fence.write(fence.mode(), rows, fence.column()));
    }

    void column(String column) {
        replace(Fence.write(fence.mode(), fence.rows(), column));
    }

    private void replace(Fence other) {
        fence = other;
        attach(false);
    }

    /** A new call of the statement, whose outcomes are only kept ({@code returning}) or also thrown. */
    FencedCall attach(boolean returning) {
        FencedCall call = new FencedCall(fence, fence.claim());
        call.present(token);
        if (returning) {
            call.keepSilent();
        }
        FencingConfig.fence(statement, call);
        return call;
    }
}
