package io.github.fencedwrite.examples.chaos;

import io.github.fencedwrite.examples.chaos.history.Checker;
import io.github.fencedwrite.examples.chaos.history.History;
import io.github.fencedwrite.examples.chaos.history.Operation;
import io.github.fencedwrite.examples.chaos.history.Verdict;
import io.github.fencedwrite.examples.chaos.nemesis.Nemesis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One run: servers, workers, the nemesis for a time, and the verdict.
 *
 * @param verdict what the checker found
 * @param faults how many of each kind the nemesis made
 * @param outcomes how many operations ended how
 * @param locksNotHad how often no lock was to be had, by reason
 */
record Round(
        Verdict verdict, Map<String, Integer> faults, Map<String, Long> outcomes, Map<String, Integer> locksNotHad) {

    private static final int OVERTAKEN_AT_LEAST = 5;
    private static final Duration OVERTAKEN_WITHIN = Duration.ofMinutes(3);

    static Round play(Options options, boolean guarded) throws IOException, InterruptedException {
        Path journals = Files.createTempDirectory("fenced-write-journals-");
        try (Arena arena = new Arena(Options.NODES)) {
            Tables tables = new Tables(arena.database());
            tables.create(guarded);
            Map<String, Integer> faults;
            try (Crew crew = new Crew(options, guarded, arena, journals)) {
                crew.awaitReady();
                Nemesis nemesis = new Nemesis(
                        options.seed(),
                        arena.sites(),
                        crew.workers(),
                        arena.database().dataSource(),
                        arena::crashDatabase);
                nemesis.rage(options.time());
                faults = nemesis.faults();
                // on a slow machine, too: without it the run would have shown nothing
                crew.awaitOvertaken(OVERTAKEN_AT_LEAST, OVERTAKEN_WITHIN);
                crew.end();
            }
            tables.awaitEndOfSessions();
            return judge(tables, JournalReader.read(journals), faults);
        } finally {
            delete(journals);
        }
    }

    private static Round judge(Tables tables, JournalReader journals, Map<String, Integer> faults) {
        History history = new History(tables.writes(), journals.operations(), tables.rows(), Tables.BOOKS);
        Map<String, Long> outcomes = journals.operations().stream()
                .collect(Collectors.groupingBy(Round::outcome, TreeMap::new, Collectors.counting()));
        return new Round(Checker.check(history), faults, outcomes, journals.locksNotHad());
    }

    private static String outcome(Operation operation) {
        return operation.told() + " " + operation.detail();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
