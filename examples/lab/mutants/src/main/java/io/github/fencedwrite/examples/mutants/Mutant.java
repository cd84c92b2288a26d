package io.github.fencedwrite.examples.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * One mechanism broken on purpose.
 *
 * @param name what is broken
 * @param module directory of the module whose sources are changed and whose tests are run
 * @param file end of the path of the source, below the module's {@code src/main}
 * @param from the text that makes the mechanism, in that file exactly once
 * @param to what stands there instead
 * @param tests simple names of test classes, each perhaps with {@code #method}
 * @param because part of the text of the failure that is the right one; empty if any failed assertion is
 */
record Mutant(String name, String module, String file, String from, String to, List<String> tests, String because) {

    /** The source that is changed. */
    Path source(Path root) {
        return only(root.resolve(module).resolve("src/main"), "/" + file, this + ": file " + file);
    }

    /**
     * The changed text of the source.
     *
     * @throws IllegalStateException if the text to be replaced is not there exactly once
     */
    String changed(Path root) {
        String text = read(source(root));
        int at = text.indexOf(from);
        if (at < 0 || text.indexOf(from, at + 1) >= 0) {
            throw new IllegalStateException(this + ": its text stands " + (at < 0 ? "nowhere" : "more than once")
                    + " in " + file + ". Adapt " + MutantList.fileOf(module) + ".");
        }
        return text.substring(0, at) + to + text.substring(at + from.length());
    }

    /** The source of a test class of this mutant. */
    Path testSource(Path root, String test) {
        String simpleName = test.replaceFirst("#.*", "");
        return only(root.resolve(module).resolve("src/test/java"), "/" + simpleName + ".java", this + ": " + test);
    }

    private static Path only(Path directory, String end, String what) {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> found =
                    files.filter(file -> file.toString().endsWith(end)).toList();
            if (found.size() != 1) {
                throw new IllegalStateException(what + " means " + found.size() + " files below " + directory);
            }
            return found.get(0);
        } catch (IOException e) {
            throw new IllegalStateException(what, e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read " + file, e);
        }
    }

    @Override
    public String toString() {
        return module + ": " + name;
    }
}
