package io.github.fencedwrite.migrations;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The code blocks of this module's README. */
final class Readme {

    /** A code block of the README. */
    record Block(String language, String text) {}

    private Readme() {}

    static List<Block> blocks() {
        return blocks("README.md");
    }

    /** Those of another page of the module. */
    static List<Block> blocks(String page) {
        try {
            return Pattern.compile("(?ms)^```(\\w+)\\n(.*?)^```$")
                    .matcher(Files.readString(Path.of(page)))
                    .results()
                    .map(match -> new Block(match.group(1), match.group(2)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first block of that language which contains the text. */
    static String block(String language, String containing) {
        return blocks().stream()
                .filter(block ->
                        block.language().equals(language) && block.text().contains(containing))
                .map(Block::text)
                .findFirst()
                .orElseThrow();
    }
}
