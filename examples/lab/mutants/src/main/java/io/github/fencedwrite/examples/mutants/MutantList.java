package io.github.fencedwrite.examples.mutants;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * Reads the lists of mutants, one file for each module. A mutant is
 *
 * <pre>
 * mutant: what is broken
 * file: internal/redis/Script.java
 * tests: AcquireAndReleaseIT#secondClient, OrderIT
 * because: part of the text of the right failure (may be left out)
 * --- from
 * one or more lines
 * --- to
 * none or more lines
 * --- end
 * </pre>
 */
final class MutantList {

    static final List<String> MODULES = List.of("core", "jdbi-plugin", "migrations");

    private MutantList() {}

    static String fileOf(String module) {
        return "examples/lab/mutants/" + module + ".txt";
    }

    /** The mutants of all modules. */
    static List<Mutant> all(Path root) {
        List<Mutant> mutants = new ArrayList<>();
        for (String module : MODULES) {
            Iterator<String> lines =
                    Mutant.read(root.resolve(fileOf(module))).lines().iterator();
            while (lines.hasNext()) {
                String line = lines.next();
                if (line.startsWith("mutant: ")) {
                    mutants.add(one(module, line, lines));
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    throw new IllegalStateException(fileOf(module) + ": «" + line + "» stands outside of a mutant");
                }
            }
        }
        return mutants;
    }

    private static Mutant one(String module, String first, Iterator<String> lines) {
        String name = after("mutant: ", first);
        String file = after("file: ", lines.next());
        List<String> tests = Arrays.asList(after("tests: ", lines.next()).split(", *"));
        String line = lines.next();
        String because = line.startsWith("because: ") ? after("because: ", line) : "";
        if (!because.isEmpty()) {
            line = lines.next();
        }
        if (!line.equals("--- from")) {
            throw new IllegalStateException(name + ": «--- from» was expected, not «" + line + "»");
        }
        String from = until("--- to", lines);
        return new Mutant(name, module, file, from, until("--- end", lines), tests, because);
    }

    private static String after(String label, String line) {
        if (!line.startsWith(label)) {
            throw new IllegalStateException("«" + label + "» was expected, not «" + line + "»");
        }
        return line.substring(label.length()).strip();
    }

    private static String until(String mark, Iterator<String> lines) {
        List<String> text = new ArrayList<>();
        for (String line = lines.next(); !line.equals(mark); line = lines.next()) {
            text.add(line);
        }
        return String.join("\n", text);
    }
}
