package io.github.fencedwrite.examples.mutants;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tries mutants and prints which test catches each. A mutant is caught if an assertion of its tests fails, and for the reason
 * that the list gives if it gives one; a server that does not start, or a mutant that does not compile, catches nothing.
 * First all tests run without any mutant, and have to pass. Argument: the root of the sources.
 */
final class TryMutants {

    private TryMutants() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path root = Path.of(arguments[0]).toRealPath();
        String wanted = System.getProperty("mutant", "");
        List<Mutant> mutants = MutantList.all(root).stream()
                .filter(mutant -> mutant.toString().contains(wanted))
                .toList();
        List<String> faults = new ArrayList<>();
        for (String module : MutantList.MODULES) {
            control(root, module, mutants, faults);
        }
        System.out.println("\n| mutant | caught by | with |\n| --- | --- | --- |");
        int caught = 0;
        for (Mutant mutant : mutants) {
            Result catching = attempt(root, mutant, faults);
            caught += catching == null ? 0 : 1;
            String by = catching == null ? "**nothing** |" : caughtBy(catching);
            System.out.println("| " + mutant + " | " + by + " |");
        }
        System.out.println("\nMUTANTS tried=" + mutants.size() + " caught=" + caught);
        faults.forEach(System.out::println);
        System.exit(faults.isEmpty() && !mutants.isEmpty() ? 0 : 1);
    }

    private static void control(Path root, String module, List<Mutant> mutants, List<String> faults)
            throws IOException, InterruptedException {
        Set<String> tests = new LinkedHashSet<>();
        mutants.stream()
                .filter(mutant -> mutant.module().equals(module))
                .forEach(mutant -> tests.addAll(mutant.tests()));
        if (tests.isEmpty()) {
            return;
        }
        try (Workbench workbench = new Workbench(root, module)) {
            List<Result> results = workbench.play(List.copyOf(tests));
            System.out.println("without mutants, " + module + ": " + results.size() + " tests");
            results.stream()
                    .filter(result -> result.kind() != Result.Kind.PASSED)
                    .forEach(result -> faults.add("FAILS WITHOUT MUTANTS: " + result));
        }
    }

    private static @Nullable Result attempt(Path root, Mutant mutant, List<String> faults)
            throws IOException, InterruptedException {
        List<Result> results;
        try (Workbench workbench = new Workbench(root, mutant.module())) {
            workbench.apply(mutant);
            results = workbench.play(mutant.tests());
        } catch (IllegalStateException e) {
            faults.add("NO MUTANT: " + e.getMessage());
            return null;
        }
        for (Result result : results) {
            if (result.kind() == Result.Kind.ASSERTION_FAILED
                    || (result.kind() == Result.Kind.BROKEN && !mutant.because().isEmpty())) {
                if (result.failure().contains(mutant.because())) {
                    return result;
                }
            }
        }
        faults.add("NOT CAUGHT: " + mutant);
        results.stream()
                .filter(result -> result.kind() != Result.Kind.PASSED)
                .forEach(result -> faults.add("    but " + result.kind() + " " + shortened(result.toString())));
        return null;
    }

    private static String caughtBy(Result result) {
        return "`" + result.test() + "` | " + shortened(result.failure()).replace("|", "\\|");
    }

    private static String shortened(String text) {
        return text.length() <= 160 ? text : text.substring(0, 159) + "…";
    }
}
