package io.github.fencedwrite.internal.protocol;

/**
 * 128 random bits that mark whose lock a key is; new for every attempt, so that a delayed release of an earlier attempt
 * cannot hit a later one.
 *
 * @param text 32 hexadecimal digits, and after a blank what the holder shows of itself to people, if anything
 */
public record OwnerId(String text) {

    @Override
    public String toString() {
        return text;
    }
}
