package io.github.fencedwrite.jdbi.internal.statement;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Rows;
import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import io.github.fencedwrite.jdbi.internal.sql.ParameterStyle;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.junit.jupiter.api.Test;

/** A statement is scanned once; after that neither text nor garbage is made. */
class RewriteCacheTest {

    private static final String SQL =
            "UPDATE inventory AS i SET stock = i.stock - :quantity, place = 'A' WHERE i.sku = :sku"
                    + " AND i.stock >= :quantity /* enough */ RETURNING i.stock";
    private static final GuardSpec FENCE = GuardSpec.write(FenceMode.FIRST, Rows.ONE, GuardSpec.COLUMN);

    private final RewriteCache cache = new RewriteCache();

    @Test
    void scansEachStatementOnceForEachFenceAndDialect() {
        var entry = cache.get(SQL, ParameterStyle.JDBI, FENCE);
        String sameText = new String(SQL.toCharArray());
        assertThat(cache.get(sameText, ParameterStyle.JDBI, GuardSpec.write(FenceMode.FIRST, Rows.ONE, "last_token")))
                .isSameAs(entry);
        assertThat(cache.get(SQL, ParameterStyle.JDBI, GuardSpec.write(FenceMode.CLAIMED, Rows.ONE, "last_token")))
                .isNotSameAs(entry);
        assertThat(cache.get(SQL.replace(":quantity", "?").replace(":sku", "?"), ParameterStyle.JDBC, FENCE))
                .isNotSameAs(entry);
        assertThat(cache.get(SQL, ParameterStyle.JDBI, FENCE)).isSameAs(entry);
    }

    @Test
    void forgetsWhatNobodyAskedForSince() {
        var kept = cache.get("DELETE FROM kept", ParameterStyle.JDBI, FENCE);
        var forgotten = cache.get("DELETE FROM forgotten", ParameterStyle.JDBI, FENCE);
        String comment = "/*" + "x".repeat(10_000) + "*/";
        for (int i = 1; i <= 1_000; i++) {
            cache.get("DELETE FROM t" + i + comment, ParameterStyle.JDBI, FENCE);
            assertThat(cache.get("DELETE FROM kept", ParameterStyle.JDBI, FENCE))
                    .isSameAs(kept);
        }
        assertThat(cache.get("DELETE FROM forgotten", ParameterStyle.JDBI, FENCE))
                .isNotSameAs(forgotten);
    }

    /** A list of changing length is a new text each time: {@code IN (:ids_0, :ids_1, …)}. */
    @Test
    void takesNoMoreMemoryForListsThanJdbiDoes() {
        long jdbi = retained(() -> {
            ColonPrefixSqlParser parser = new ColonPrefixSqlParser();
            lists(sql -> parser.parse(sql, null));
            return parser;
        });
        long ours = retained(() -> {
            RewriteCache lists = new RewriteCache();
            lists(sql -> lists.get(sql, ParameterStyle.JDBI, FENCE));
            return lists;
        });
        System.out.printf("Rewritten lists: %d MB, parsed by Jdbi: %d MB%n", ours >> 20, jdbi >> 20);
        assertThat(ours).isLessThan(jdbi * 12 / 10);
    }

    private static void lists(Consumer<String> user) {
        StringBuilder list = new StringBuilder();
        for (int length = 1; length <= 2_000; length++) {
            list.append(length == 1 ? "" : ", ").append(":__ids_").append(length);
            user.accept("UPDATE inventory SET stock = :stock WHERE id IN (" + list + ")");
        }
    }

    private static long retained(Supplier<Object> maker) {
        long before = used();
        Object made = maker.get();
        long after = used();
        Reference.reachabilityFence(made);
        return after - before;
    }

    private static long used() {
        var memory = ManagementFactory.getMemoryMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            memory.gc();
            least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    @Test
    void allocatesNothingForKnownStatement() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        int calls = 20_000;
        long used = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < calls; i++) {
                if (cache.get(SQL, ParameterStyle.JDBI, FENCE.withAnnouncing(false)) == null) {
                    throw new AssertionError();
                }
            }
            used = Math.min(used, threads.getThreadAllocatedBytes(self) - before);
        }
        assertThat(used / (double) calls).as("bytes for each call").isLessThan(1);
    }

    /** Measured once the JVM has compiled the scanner, which takes a moment where the compiler has no processor of its own. */
    @Test
    void firstRewriteIsQuick() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        double median;
        int series = 0;
        do {
            median = medianOfFirstRewrites(threads, series++);
            System.out.println("First rewrite: " + median + " µs, processor time, median");
        } while (median >= 50 && System.nanoTime() < deadline);
        assertThat(median).as("microseconds, median").isLessThan(50);
    }

    private double medianOfFirstRewrites(ThreadMXBean threads, int series) {
        double[] micros = new double[40];
        for (int round = 0; round < micros.length; round++) {
            String[] statements = new String[100];
            for (int i = 0; i < statements.length; i++) {
                statements[i] = SQL.replace("'A'", "'" + series + "." + round + "." + i + "'");
            }
            // processor time, since the machine may be busy with other things
            long before = threads.getCurrentThreadCpuTime();
            for (String statement : statements) {
                cache.get(statement, ParameterStyle.JDBI, FENCE);
            }
            micros[round] = (threads.getCurrentThreadCpuTime() - before) / 1e3 / statements.length;
        }
        Arrays.sort(micros);
        return micros[micros.length / 2];
    }
}
