package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.FencingToken;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a repeated write tells of all its attempts together. */
@Tag("contract")
class RepeatIT {

    private static final FencingToken TOKEN = FencingToken.of(7);
    private static final WriteOutcome UNKNOWN = new WriteOutcome.Unknown("08006");

    private final InventoryFixture inventory = new InventoryFixture();
    private final BreakingDataSource breaking = new BreakingDataSource(inventory.database.dataSource());
    private final Jdbi jdbi = Pool.jdbi(breaking);

    interface Dao {
        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = stock - 1 WHERE sku = :sku")
        WriteOutcome sell(String sku, FencingToken token);
    }

    private static WriteOutcome repeat(Object... attempts) {
        Iterator<Object> next = List.of(attempts).iterator();
        return Fencing.repeat(attempts.length, () -> {
            Object outcome = next.next();
            if (outcome instanceof RuntimeException e) {
                throw e;
            }
            return (WriteOutcome) outcome;
        });
    }

    private static ConnectionException refused() {
        return new ConnectionException(new SQLException("Connection refused", "08001"));
    }

    @Test
    void unknownStaysUnknownUnlessLaterAttemptSettlesIt() {
        assertThat(repeat(UNKNOWN, refused(), refused())).isEqualTo(UNKNOWN);
        assertThat(repeat(UNKNOWN, new WriteOutcome.Retryable("40001"))).isEqualTo(UNKNOWN);
        assertThat(repeat(UNKNOWN, new WriteOutcome.Stale(TOKEN, FencingToken.of(8))))
                .as("written, and then by somebody else, or never")
                .isEqualTo(UNKNOWN);
        assertThat(repeat(UNKNOWN, new WriteOutcome.NotFound()))
                .as("deleted by whom?")
                .isEqualTo(UNKNOWN);
        assertThat(repeat(UNKNOWN, new WriteOutcome.AlreadyWritten(TOKEN))).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(repeat(UNKNOWN, refused(), new WriteOutcome.Applied(1))).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(repeat(refused(), new WriteOutcome.Applied(1))).isEqualTo(new WriteOutcome.Applied(1));
        assertThat(repeat(refused(), refused())).isEqualTo(new WriteOutcome.Retryable("08001"));
    }

    @Test
    void serverThatCannotBeReachedAnyMoreLeavesItUnknown() {
        Dao dao = jdbi.onDemand(Dao.class);
        AtomicInteger attempts = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        breaking.loseAtExecution(1);
        WriteOutcome outcome = Fencing.repeat(3, () -> {
            try {
                return dao.sell("4711", TOKEN);
            } finally {
                if (attempts.incrementAndGet() == 1) {
                    breaking.refuse(refused);
                }
            }
        });
        breaking.accept();
        assertThat(outcome).isInstanceOf(WriteOutcome.Unknown.class);
        assertThat(refused).hasValue(2);
    }

    @Test
    void interruptEndsTheAttemptsAndKeepsTheFlag() {
        AtomicInteger attempts = new AtomicInteger();
        WriteOutcome outcome = Fencing.repeat(100, () -> {
            attempts.incrementAndGet();
            Thread.currentThread().interrupt();
            return new WriteOutcome.Retryable("40001");
        });
        assertThat(Thread.interrupted()).isTrue();
        assertThat(attempts).hasValue(1);
        assertThat(outcome).isEqualTo(new WriteOutcome.Retryable("40001"));
    }
}
