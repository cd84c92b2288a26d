package io.github.fencedwrite.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.protocol.OwnerId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepliesTest {

    private static final Command ACQUIRE = new Command.Acquire(new OwnerId("owner"), 1, 0);

    @ParameterizedTest
    @ValueSource(longs = {1, 1_796_049_220_902_448L, (1L << 53) - 1})
    void aCounterWithinBoundsIsGranted(long counter) {
        assertThat(Replies.answer(ACQUIRE, counter)).isEqualTo(new Answer.Granted(counter));
    }

    /** No script of ours gives it, so whoever did cannot be believed that nothing is held. */
    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, 1L << 53, Long.MAX_VALUE})
    void aCounterOutOfBoundsIsNoTokenAndMayHaveTakenTheLock(long counter) {
        assertThat(Replies.answer(ACQUIRE, counter))
                .isInstanceOfSatisfying(
                        Answer.Failed.class,
                        failed -> assertThat(failed.mayHaveRun()).isTrue());
    }
}
