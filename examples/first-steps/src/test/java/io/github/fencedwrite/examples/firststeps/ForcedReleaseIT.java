package io.github.fencedwrite.examples.firststeps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.Fenced;
import io.github.fencedwrite.jdbi.FencingPlugin;
import io.github.fencedwrite.jdbi.StaleTokenException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.Test;

/** What an operator does with redis-cli alone, and what the database then says to the old holder. */
class ForcedReleaseIT {

    private static final Duration TTL = Duration.ofSeconds(20);
    private static final Duration WAIT = Duration.ofSeconds(5);

    interface InventoryDao {
        @Fenced
        @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
        void setStock(String sku, int stock, Lease lease);
    }

    @Test
    void refusesTheOldHoldersNextWriteOnceTheNextOneHasWritten() throws Exception {
        boolean there = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "redis-cli")));
        assumeTrue(there || "required".equals(System.getProperty("tools")), "redis-cli is not installed");
        try (OnNewServers servers = new OnNewServers();
                FencedLocks locks = connect(servers);
                FencedLocks others = connect(servers)) {
            InventoryTable.createIn(servers.addresses()[0]);
            InventoryDao dao = Jdbi.create(servers.database.dataSource())
                    .installPlugin(new SqlObjectPlugin())
                    .installPlugin(new FencingPlugin())
                    .onDemand(InventoryDao.class);
            Lease old = locks.acquire("sku:4711", TTL, WAIT);
            dao.setStock("4711", 5, old);
            assertThat(others.tryAcquire("sku:4711", TTL)).isEmpty();

            for (String node : servers.nodes()) {
                for (String command : releaseByForce()) {
                    run(command.replaceFirst("-h \\$node", "-u " + node));
                }
            }

            try (Lease next = others.acquire("sku:4711", TTL, WAIT)) {
                dao.setStock("4711", 6, next);
            }
            assertThat(old.isValid())
                    .as("the old holder still believes in its lease")
                    .isTrue();
            assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> dao.setStock("4711", 7, old));
        }
    }

    private static FencedLocks connect(OnNewServers servers) {
        return FencedLocks.builder().nodes(servers.nodes()).quarantine(false).build();
    }

    /** The commands of core's README, as they stand there. */
    private static List<String> releaseByForce() throws IOException {
        Path root = Files.exists(Path.of("examples")) ? Path.of(".") : Path.of("../..");
        String section =
                Files.readString(root.resolve("core/README.md")).split("\\*\\*Release a lock by force\\*\\*")[1];
        return section.split("```")[1].strip().lines().toList();
    }

    private static void run(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", command)
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said).doesNotContain("ERR");
    }
}
