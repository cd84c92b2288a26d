package io.github.fencedwrite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the README says, word for word. */
final class Readme {

    private Readme() {}

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first code block after {@code heading}. */
    static String block(String readme, String heading) {
        int begin = readme.indexOf("\n", readme.indexOf("```", readme.indexOf(heading))) + 1;
        return readme.substring(begin, readme.indexOf("```", begin));
    }

    /** The commands for redis-cli in the first code block after {@code heading}. */
    static List<String> commands(String readme, String heading) {
        return block(readme, heading)
                .lines()
                .filter(line -> line.startsWith("redis-cli "))
                .toList();
    }
}
