package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.NodeFailure.Reason;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/** Sorts what comes back from a node: into answers of the protocol, and failures into their reasons. */
final class Replies {

    private static final long TOO_HIGH = 1L << 53;

    private Replies() {}

    /** Reads the reply to {@code command}. An error reply means that the script did nothing that matters. */
    static Answer answer(Command command, @Nullable Object reply) {
        if (reply instanceof JedisDataException error) {
            return new Answer.Failed(failure(error), false);
        }
        if (command instanceof Command.Acquire) {
            if (reply instanceof Long counter && counter > 0 && counter < TOO_HIGH) {
                return new Answer.Granted(counter);
            } else if (reply instanceof byte[] remaining) {
                try {
                    return busy(new String(remaining, UTF_8));
                } catch (NumberFormatException e) {
                    // no answer of ours, see below
                }
            }
        } else if (reply instanceof Long done) {
            return done == 1 ? new Answer.Yes() : new Answer.No();
        } else if (command instanceof Command.Extend && reply instanceof List<?> one && one.size() == 1) {
            return answer(command, one.get(0));
        }
        return new Answer.Failed(new NodeFailure(Reason.OTHER, "a reply that no script of ours gives"), true);
    }

    /** The remaining time, and after the first blank the lock's value: owner id and, after another blank, the label. */
    private static Answer.Busy busy(String reply) {
        String[] parts = reply.split(" ", 3);
        return new Answer.Busy(Long.parseLong(parts[0]), parts.length == 3 ? parts[2] : "");
    }

    /** Why a node answered with an error, or why it could not be reached. */
    static NodeFailure failure(Throwable thrown) {
        if (thrown instanceof JedisDataException error) {
            return new NodeFailure(reasonOf(text(error)), text(error));
        }
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof GeneralSecurityException) {
                return new NodeFailure(Reason.CERTIFICATE, text(cause));
            }
        }
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            Reason reason = reasonOf(cause);
            if (reason != null) {
                return new NodeFailure(reason, text(cause));
            }
        }
        return new NodeFailure(Reason.CONNECTION_LOST, text(thrown));
    }

    private static @Nullable Reason reasonOf(Throwable cause) {
        if (cause instanceof UnknownHostException) {
            return Reason.UNKNOWN_HOST;
        } else if (cause instanceof SocketTimeoutException) {
            return Reason.TIMED_OUT;
        } else if (cause instanceof ConnectException || cause instanceof NoRouteToHostException) {
            return Reason.REFUSED;
        } else if (cause instanceof SSLException) {
            return Reason.TLS;
        } else if (cause instanceof EOFException) {
            return Reason.CONNECTION_LOST;
        } else if (cause instanceof JedisDataException error) {
            return reasonOf(text(error));
        } else if (cause instanceof UnsupportedServerException unsupported) {
            return unsupported.reason();
        }
        return null;
    }

    private static Reason reasonOf(String error) {
        return switch (error.split(" ", 2)[0]) {
            case "NOAUTH", "WRONGPASS" -> Reason.NOAUTH;
            case "NOPERM" -> Reason.NOPERM;
            case "READONLY" -> Reason.READONLY;
            case "LOADING" -> Reason.LOADING;
            case "OOM" -> Reason.OOM;
            case "MISCONF" -> Reason.MISCONF;
            case "BUSY" -> Reason.BUSY;
            case "WRONGTYPE", "FENCEDWRITE" -> Reason.CORRUPT;
            case "MASTERDOWN", "MOVED", "ASK", "CLUSTERDOWN", "CROSSSLOT" -> Reason.UNSUPPORTED;
            default -> reasonOfWords(error.toLowerCase(Locale.ROOT));
        };
    }

    /** Up to Redis 6.2 an error inside a script is wrapped in ERR, its own code somewhere in the text. */
    private static Reason reasonOfWords(String error) {
        if (error.contains("command not allowed when used memory")) {
            return Reason.OOM;
        } else if (error.contains("-readonly") || error.contains("read only replica")) {
            return Reason.READONLY;
        } else if (error.contains("-misconf") || error.contains("misconf ")) {
            return Reason.MISCONF;
        } else if (error.contains("wrongtype")
                || error.contains("not an integer")
                || error.contains("increment or decrement would overflow")) {
            return Reason.CORRUPT;
        } else if (error.contains("noperm")
                || error.contains("can't access")
                || error.contains("no permission")
                || error.contains("can't run this command")) {
            return Reason.NOPERM;
        } else if (error.contains("invalid password") || error.contains("without any password")) {
            return Reason.NOAUTH;
        }
        return Reason.OTHER;
    }

    private static String text(Throwable thrown) {
        String message = thrown.getMessage();
        return message == null || message.isBlank() ? thrown.getClass().getSimpleName() : message;
    }
}
