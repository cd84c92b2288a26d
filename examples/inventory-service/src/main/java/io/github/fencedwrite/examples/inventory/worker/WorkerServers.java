package io.github.fencedwrite.examples.inventory.worker;

import io.github.fencedwrite.examples.inventory.Configuration.Database;
import java.time.Duration;
import java.util.List;

/**
 * Where the servers are, and how workers lock there; travels to a worker as its arguments.
 *
 * @param quarantine whether restarted nodes vote later; off only for nodes that were started empty for this run
 */
public record WorkerServers(
        List<String> nodes, Database database, Duration leaseTtl, Duration lockWait, boolean quarantine) {

    List<String> toArguments() {
        return List.of(
                String.join(",", nodes),
                database.jdbcUrl(),
                database.user(),
                database.password(),
                leaseTtl.toString(),
                lockWait.toString(),
                String.valueOf(quarantine));
    }

    static WorkerServers fromArguments(List<String> arguments) {
        return new WorkerServers(
                List.of(arguments.get(0).split(",")),
                new Database(arguments.get(1), arguments.get(2), arguments.get(3)),
                Duration.parse(arguments.get(4)),
                Duration.parse(arguments.get(5)),
                Boolean.parseBoolean(arguments.get(6)));
    }
}
