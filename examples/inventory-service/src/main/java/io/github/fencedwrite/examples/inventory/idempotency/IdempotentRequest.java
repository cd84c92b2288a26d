package io.github.fencedwrite.examples.inventory.idempotency;

import io.github.fencedwrite.examples.inventory.RejectedException;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A request that the client may send again when it got no answer, and that takes effect once.
 *
 * @param key what the client chose: 1 to 128 visible ASCII characters
 * @param content what was asked for, so that another request with the same key is noticed
 */
public record IdempotentRequest(String key, String content) {

    /** Where the key comes from. */
    public static final String HEADER = "Idempotency-Key";

    private static final Pattern KEY = Pattern.compile("[!-~]{1,128}");

    /** Checks the range of the key. */
    public IdempotentRequest {
        if (!KEY.matcher(key).matches()) {
            throw new RejectedException(
                    RejectedException.Reason.INVALID_VALUE,
                    "The " + HEADER + " is 1 to 128 visible ASCII characters, for example a random UUID.");
        }
    }

    /**
     * The request with the key that came as a header.
     *
     * @param parts what was asked for, in a fixed order
     * @throws RejectedException if there is no key, or none that can be one
     */
    public static IdempotentRequest of(@Nullable String key, Object... parts) {
        if (key == null) {
            throw new RejectedException(
                    RejectedException.Reason.INVALID_VALUE,
                    "The header " + HEADER + " is missing. Send a random UUID, and the same one when you repeat the "
                            + "request.");
        }
        return new IdempotentRequest(
                key, Arrays.stream(parts).map(String::valueOf).collect(Collectors.joining(" ")));
    }
}
