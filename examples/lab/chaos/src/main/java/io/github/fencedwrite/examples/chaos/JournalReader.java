package io.github.fencedwrite.examples.chaos;

import io.github.fencedwrite.examples.chaos.history.Intent;
import io.github.fencedwrite.examples.chaos.history.Operation;
import io.github.fencedwrite.examples.chaos.history.RowId;
import io.github.fencedwrite.examples.chaos.history.Told;
import io.github.fencedwrite.examples.chaos.worker.Journal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads the journals that the workers left. A worker that was killed may have left its last line unfinished. */
final class JournalReader {

    private static final String KILLED = "killed";

    private final Map<String, Operation> operations = new LinkedHashMap<>();
    private final Map<String, Integer> locksNotHad = new TreeMap<>();

    /** Reads all files of a directory. */
    static JournalReader read(Path directory) throws IOException {
        JournalReader reader = new JournalReader();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.sorted().toList()) {
                String text = Files.readString(file, StandardCharsets.UTF_8);
                text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(reader::line);
            }
        }
        return reader;
    }

    List<Operation> operations() {
        return List.copyOf(operations.values());
    }

    /** How often no lock was to be had, by reason. */
    Map<String, Integer> locksNotHad() {
        return locksNotHad;
    }

    private void line(String line) {
        String[] word = line.split("\t", -1);
        switch (word[0]) {
            case Journal.ACQUIRED ->
                operations.put(
                        word[1],
                        new Operation(
                                word[1],
                                word[2],
                                Long.parseLong(word[3]),
                                Long.parseLong(word[4]),
                                Long.parseLong(word[5]),
                                new ArrayList<>(),
                                Told.UNKNOWN,
                                KILLED));
            case Journal.ATTEMPT -> operation(word[1]).attempts().add(new ArrayList<>());
            case Journal.INTENT ->
                operation(word[1])
                        .lastAttempt()
                        .add(new Intent(new RowId(word[2], word[3]), Long.parseLong(word[4]), Long.parseLong(word[5])));
            case Journal.TOLD ->
                operations.computeIfPresent(
                        word[1],
                        (id, was) -> new Operation(
                                id,
                                was.resource(),
                                was.token(),
                                was.begun(),
                                was.acquired(),
                                was.attempts(),
                                Told.valueOf(word[2]),
                                word[3]));
            case Journal.NO_LOCK -> locksNotHad.merge(word[2], 1, Integer::sum);
            default -> throw new IllegalArgumentException("No line of a journal: " + line);
        }
    }

    private Operation operation(String id) {
        Operation operation = operations.get(id);
        if (operation == null) {
            throw new IllegalArgumentException(id + " goes on before it began");
        }
        return operation;
    }
}
