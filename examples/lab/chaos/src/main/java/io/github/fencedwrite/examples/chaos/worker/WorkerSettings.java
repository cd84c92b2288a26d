package io.github.fencedwrite.examples.chaos.worker;

import java.nio.file.Path;
import java.util.List;

/**
 * What a worker process is started with; travels as its arguments.
 *
 * @param name unique over all workers and their restarts; also its application_name in the database
 * @param guarded whether its writes carry tokens
 * @param seed of its random choices
 * @param nodes addresses of the lock nodes
 * @param journal the file to which it appends what it does
 */
public record WorkerSettings(
        String name,
        boolean guarded,
        long seed,
        List<String> nodes,
        String jdbcUrl,
        String user,
        String password,
        Path journal) {

    /** As arguments of {@link WorkerMain}. */
    public List<String> toArguments() {
        return List.of(
                name,
                String.valueOf(guarded),
                String.valueOf(seed),
                String.join(",", nodes),
                jdbcUrl,
                user,
                password,
                journal.toString());
    }

    static WorkerSettings fromArguments(List<String> arguments) {
        return new WorkerSettings(
                arguments.get(0),
                Boolean.parseBoolean(arguments.get(1)),
                Long.parseLong(arguments.get(2)),
                List.of(arguments.get(3).split(",")),
                arguments.get(4),
                arguments.get(5),
                arguments.get(6),
                Path.of(arguments.get(7)));
    }
}
