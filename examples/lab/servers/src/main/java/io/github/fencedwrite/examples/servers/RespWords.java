package io.github.fencedwrite.examples.servers;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads a complete command, as {@link RespFrames} has found it: an array of bulk strings, or a line of words. */
final class RespWords {

    private final byte[] bytes;
    private int position;

    private RespWords(byte[] bytes) {
        this.bytes = bytes;
    }

    static List<String> of(byte[] command) {
        if (command[0] != '*') {
            return List.of(new String(command, StandardCharsets.UTF_8).strip().split("\\s+"));
        }
        return new RespWords(command).words();
    }

    private List<String> words() {
        List<String> words = new ArrayList<>();
        for (int i = number(); i > 0; i--) {
            int length = number();
            words.add(new String(bytes, position, length, StandardCharsets.UTF_8));
            position += length + 2;
        }
        return List.copyOf(words);
    }

    /** Reads a line of a type and a number. */
    private int number() {
        int start = position + 1;
        while (bytes[position] != '\r') {
            position++;
        }
        int number = Integer.parseInt(new String(bytes, start, position - start, StandardCharsets.US_ASCII));
        position += 2;
        return number;
    }
}
