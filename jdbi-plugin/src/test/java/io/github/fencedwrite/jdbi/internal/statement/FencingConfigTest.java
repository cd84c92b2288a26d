package io.github.fencedwrite.jdbi.internal.statement;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Rows;
import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import io.github.fencedwrite.jdbi.internal.sql.ParameterStyle;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Jdbi copies its configuration for each statement of the application, guarded or not. */
class FencingConfigTest {

    private static final GuardSpec FENCE = GuardSpec.write(FenceMode.FIRST, Rows.ONE, GuardSpec.COLUMN);

    private final FencingConfig config = new FencingConfig();

    @Test
    void copiesShareTheirCacheAndOptions() {
        FencingConfig copy = config.createCopy();
        FencedCall call = new FencedCall(FENCE, false);
        String sql = "DELETE FROM inventory";
        assertThat(copy.rewrite(sql, ParameterStyle.JDBI, call))
                .isSameAs(config.rewrite(sql, ParameterStyle.JDBI, call));
        assertThat(config.install(false, null)).isTrue();
        assertThat(copy.install(true, null)).as("a second plugin").isFalse();
        assertThat(config.rewrite(sql, ParameterStyle.JDBI, call).rendered().sql())
                .contains("set_config('fencing.token'");
    }

    @Test
    void aCopyIsButOneSmallObject() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        int copies = 10_000;
        FencingConfig[] made = new FencingConfig[copies];
        long used = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < copies; i++) {
                made[i] = config.createCopy();
            }
            used = Math.min(used, threads.getThreadAllocatedBytes(self) - before);
        }
        assertThat(used / (double) copies).as("bytes for each copy").isLessThan(33);
    }
}
