package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The README's configuration of Flyway's command line, run by that program. Its installation is put together here from its
 * parts, of the newest version of which all are in Maven Central.
 */
@Tag("commandline")
class FlywayCommandLineIT {

    private final Path installation = Path.of("target", "flyway-commandline").toAbsolutePath();

    @Test
    void configurationOfTheReadmeInstalls() throws Exception {
        TestDatabase database = TestDatabase.fresh();
        for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
            String name = Path.of(part).getFileName().toString();
            if (name.matches("(flyway|jackson|jansi).*\\.jar")) {
                install(Path.of(part), "lib/flyway");
            } else if (name.startsWith("postgresql-")) {
                install(Path.of(part), "drivers");
            }
        }
        install(Path.of("target", "fenced-write-migrations-" + System.getProperty("project.version") + ".jar"), "jars");
        Path configuration =
                Files.writeString(installation.resolve("fencing.conf"), Readme.block("properties", "flyway.locations"));

        assertThat(migrate(database.dataSource(), configuration)).contains("Successfully applied 2 migrations");
        FencingMigrations.on(database.dataSource()).verify();
        assertThat(migrate(database.dataSource(), configuration)).contains("No migration necessary");
    }

    private void install(Path file, String directory) throws IOException {
        Path to = Files.createDirectories(installation.resolve(directory));
        Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }

    /** What Flyway's shell script does, with {@code -configFiles=fencing.conf migrate}. */
    private String migrate(PGSimpleDataSource to, Path configuration) throws IOException, InterruptedException {
        return Tools.run(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                installation.resolve("lib/flyway") + "/*" + File.pathSeparator + installation.resolve("drivers") + "/*",
                "org.flywaydb.commandline.Main",
                "-url=" + to.getURL(),
                "-user=" + to.getUser(),
                "-password=" + to.getPassword(),
                "-skipCheckForUpdate",
                "-configFiles=" + configuration,
                "migrate"));
    }
}
