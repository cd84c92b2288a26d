package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.NodeFailure.Reason;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.protocol.OwnerId;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

class RepliesTest {

    private static final OwnerId OWNER = new OwnerId("owner");
    private static final Command ACQUIRE = new Command.Acquire(OWNER, 1, 0);
    private static final Command RELEASE = new Command.Release(OWNER);

    @ParameterizedTest
    @ValueSource(longs = {1, 1_796_049_220_902_448L, (1L << 53) - 1})
    void aCounterWithinBoundsIsGranted(long counter) {
        assertThat(Replies.answer(ACQUIRE, counter)).isEqualTo(new Answer.Granted(counter));
    }

    /** No script of ours gives it, so whoever did cannot be believed that nothing is held. */
    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, 1L << 53, Long.MAX_VALUE})
    void aCounterOutOfBoundsIsNoTokenAndMayHaveTakenTheLock(long counter) {
        assertStrange(Replies.answer(ACQUIRE, counter));
    }

    @Test
    void aTextInReplyToAnAcquireIsTheOthersRemainingTime() {
        assertThat(Replies.answer(ACQUIRE, bytes("-1"))).isEqualTo(new Answer.Busy(-1));
        assertThat(Replies.answer(ACQUIRE, bytes("29999"))).isEqualTo(new Answer.Busy(29_999));
        assertThat(Replies.answer(ACQUIRE, bytes("29999 "))).isEqualTo(new Answer.Busy(29_999));
        assertThat(Replies.answer(ACQUIRE, bytes("-1 0123abcd"))).isEqualTo(new Answer.Busy(-1));
        assertThat(Replies.answer(ACQUIRE, bytes("5 0123abcd web-1 pid 4711")))
                .isEqualTo(new Answer.Busy(5, "web-1 pid 4711"));
        assertStrange(Replies.answer(ACQUIRE, bytes("soon")));
        assertStrange(Replies.answer(ACQUIRE, null));
    }

    @Test
    void oneIsAYesAndAnyOtherNumberANo() {
        assertThat(Replies.answer(RELEASE, 1L)).isEqualTo(new Answer.Yes());
        assertThat(Replies.answer(RELEASE, 0L)).isEqualTo(new Answer.No());
        assertThat(Replies.answer(RELEASE, 2L)).isEqualTo(new Answer.No());
        assertStrange(Replies.answer(RELEASE, bytes("1")));
    }

    @Test
    void anErrorHasDoneNothing() {
        assertThat(Replies.answer(ACQUIRE, new JedisDataException("OOM command not allowed")))
                .isEqualTo(new Answer.Failed(new NodeFailure(Reason.OOM, "OOM command not allowed"), false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NOAUTH      | NOAUTH Authentication required.",
                "NOAUTH      | WRONGPASS invalid username-password pair or user is disabled.",
                "NOAUTH      | ERR invalid password",
                "NOAUTH      | ERR AUTH <password> called without any password configured for the default user.",
                "NOPERM      | NOPERM this user has no permissions to run the 'evalsha' command",
                "NOPERM      | ERR ACL failure in script: User default has no permissions to run the 'incr' command",
                "NOPERM      | ERR Error running script: -NOPERM this user may not",
                "NOPERM      | ERR The user executing the script can't run this command or subcommand",
                "NOPERM      | ERR The user executing the script can't access at least one of the keys",
                "READONLY    | READONLY You can't write against a read only replica.",
                "READONLY    | ERR Error running script: -READONLY You can't write",
                "READONLY    | ERR You can't write against a read only replica.",
                "LOADING     | LOADING Redis is loading the dataset in memory",
                "OOM         | OOM command not allowed when used memory > 'maxmemory'.",
                "OOM         | ERR Error running script: -OOM command not allowed when used memory > 'maxmemory'.",
                "MISCONF     | MISCONF Redis is configured to save RDB snapshots",
                "MISCONF     | ERR Error running script: MISCONF Redis is configured to save RDB snapshots",
                "MISCONF     | ERR Error running script: -MISCONF: Errors writing to the AOF file",
                "BUSY        | BUSY Redis is busy running a script.",
                "CORRUPT     | WRONGTYPE Operation against a key holding the wrong kind of value",
                "CORRUPT     | ERR Error running script: WRONGTYPE Operation against a key",
                "CORRUPT     | FENCEDWRITE the counter is no number",
                "CORRUPT     | ERR value is not an integer or out of range",
                "CORRUPT     | ERR increment or decrement would overflow",
                "UNSUPPORTED | MASTERDOWN Link with MASTER is down",
                "UNSUPPORTED | MOVED 3999 127.0.0.1:6381",
                "UNSUPPORTED | ASK 3999 127.0.0.1:6381",
                "UNSUPPORTED | CLUSTERDOWN Hash slot not served",
                "UNSUPPORTED | CROSSSLOT Keys in request don't hash to the same slot",
                "BUSY        | BUSY",
                "OTHER       | ERR unknown command",
                "OTHER       | ' BUSY'",
                "OTHER       | BUSYKEY Target key name already exists."
            })
    void theServersWordsTellTheReason(Reason reason, String error) {
        assertThat(Replies.failure(new JedisDataException(error))).isEqualTo(new NodeFailure(reason, error));
    }

    @ParameterizedTest
    @MethodSource
    void theFirstCauseThatSaysSomethingTellsTheReason(Throwable cause, Reason reason) {
        IOException between = new IOException("between", cause);
        assertThat(Replies.failure(new JedisConnectionException("outermost", between)))
                .isEqualTo(new NodeFailure(reason, cause.getMessage()));
    }

    static Stream<Arguments> theFirstCauseThatSaysSomethingTellsTheReason() {
        return Stream.of(
                Arguments.of(new UnknownHostException("no-such-host"), Reason.UNKNOWN_HOST),
                Arguments.of(new SocketTimeoutException("Read timed out"), Reason.TIMED_OUT),
                Arguments.of(new ConnectException("Connection refused"), Reason.REFUSED),
                Arguments.of(new NoRouteToHostException("No route to host"), Reason.REFUSED),
                Arguments.of(new SSLHandshakeException("certificate_unknown"), Reason.TLS),
                Arguments.of(new EOFException("no more"), Reason.CONNECTION_LOST),
                Arguments.of(new JedisDataException("NOAUTH Authentication required."), Reason.NOAUTH),
                Arguments.of(new UnsupportedServerException(Reason.READONLY, "a replica"), Reason.READONLY));
    }

    @Test
    void aCauseThatSaysNothingIsALostConnectionInTheOutermostWords() {
        assertThat(Replies.failure(new JedisConnectionException("outermost", new SocketException("Connection reset"))))
                .isEqualTo(new NodeFailure(Reason.CONNECTION_LOST, "outermost"));
    }

    @ParameterizedTest
    @MethodSource
    void aFailureWithoutWordsIsNamedByItsKind(Throwable wordless) {
        assertThat(Replies.failure(wordless)).isEqualTo(new NodeFailure(Reason.TIMED_OUT, "SocketTimeoutException"));
    }

    static Stream<Throwable> aFailureWithoutWordsIsNamedByItsKind() {
        return Stream.of(
                new SocketTimeoutException(), new SocketTimeoutException(""), new SocketTimeoutException(" \n"));
    }

    private static void assertStrange(@Nullable Answer answer) {
        assertThat(answer)
                .isEqualTo(
                        new Answer.Failed(new NodeFailure(Reason.OTHER, "a reply that no script of ours gives"), true));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(US_ASCII);
    }
}
