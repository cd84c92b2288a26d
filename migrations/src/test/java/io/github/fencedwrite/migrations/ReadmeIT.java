package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.migrations.Readme.Block;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Every command of the README, from the README. */
@Tag("newest")
class ReadmeIT {

    private final TestDatabase database = TestDatabase.fresh();

    @Test
    void sqlWorksInTheOrderInWhichItStands() {
        FencingMigrations.on(database.dataSource()).install();
        String writer = Roles.plain(database);
        String owner = Roles.plain(database);
        database.run(
                "CREATE TABLE inventory (sku text PRIMARY KEY, stock int)",
                "INSERT INTO inventory VALUES ('4711', 10)",
                "CREATE TABLE order_line (id int)");

        int run = 0;
        for (Block block : Readme.blocks()) {
            if (block.language().equals("sql")) {
                database.run(
                        block.text().replace("'app'", "'" + writer + "'").replace("'app_owner'", "'" + owner + "'"));
                run++;
            }
        }

        assertThat(run).isGreaterThanOrEqualTo(15);
        assertThat(database.ask("SELECT string_agg(table_name || ' ' || enforced, ', ' ORDER BY table_name)"
                        + " FROM fencing.protected_tables"))
                .isEqualTo("inventory guarded, order_line guarded");
    }

    @Test
    void thePageForAdministratorsNeedsNoJar() {
        String owner = Roles.plain(database);
        String writer = Roles.plain(database);
        boolean installed = false;
        for (Block block : Readme.blocks("ADMINISTRATION.md")) {
            String sql = block.text().replace("'app'", "'" + writer + "'").replace("app_owner", owner);
            database.run(sql);
            if (!installed) {
                FencingMigrations.on(database.dataSourceOf(owner)).install();
                database.run(
                        "CREATE TABLE inventory (sku text PRIMARY KEY, stock int)",
                        "SELECT fencing.protect('public.inventory')",
                        "SELECT fencing.enforce('public.inventory', 'monotonic')");
                installed = true;
            }
        }
        assertThat(database.ask("SELECT enforced FROM fencing.protected_tables"))
                .as("relaxed on the way")
                .isEqualTo("guarded");
    }

    @Test
    void javaSnippetsCompile() throws IOException {
        String compiled = squeezed(
                Files.readString(Path.of("src/test/java/io/github/fencedwrite/migrations/ReadmeSnippets.java")));

        assertThat(Readme.blocks())
                .filteredOn(block -> block.language().equals("java"))
                .hasSizeGreaterThan(4)
                .allSatisfy(block -> assertThat(compiled).contains(squeezed(block.text())));
        ReadmeSnippets.install(database.dataSource());
        ReadmeSnippets.verify(database.dataSource());
        ReadmeSnippets.repair(database.dataSource());
    }

    @Test
    void psqlRunsWhatTheJarPrints(@TempDir Path directory) throws Exception {
        Tools.program("psql", "postgresql-client");
        PGSimpleDataSource to = database.dataSource();
        Path jar = Path.of("target", "fenced-write-migrations-" + System.getProperty("project.version") + ".jar");
        Files.copy(jar, directory.resolve("fenced-write-migrations.jar"));
        ProcessBuilder shell = new ProcessBuilder("sh", "-e", "-c", Readme.block("shell", "java -jar"))
                .directory(directory.toFile())
                .inheritIO();
        shell.environment()
                .putAll(Map.of(
                        "PGHOST", to.getServerNames()[0],
                        "PGPORT", to.getPortNumbers()[0] + "",
                        "PGUSER", to.getUser(),
                        "PGPASSWORD", to.getPassword(),
                        "PGDATABASE", database.name()));

        assertThat(shell.redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor())
                .isZero();

        FencingMigrations.on(to).verify();
    }

    @Test
    void configurationOfTheCommandLineIsWhatFlywayUnderstands() throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(Readme.block("properties", "flyway.locations")));
        database.run("CREATE SCHEMA fencing", "CREATE TABLE fencing.notes (remark text)");

        Flyway.configure()
                .configuration(properties.stringPropertyNames().stream()
                        .collect(Collectors.toMap(name -> name, properties::getProperty)))
                .dataSource(database.dataSource())
                .load()
                .migrate();

        FencingMigrations.on(database.dataSource()).verify();
    }

    @Test
    void sqlStatesAreThoseOfTheFunctions() throws IOException {
        String functions = Files.readString(
                Path.of("target/classes/io/github/fencedwrite/migrations/sql/R__fencing_functions.sql"));
        String readme = Files.readString(Path.of("README.md"));

        assertThat(java.util.regex.Pattern.compile("WF\\d{3}")
                        .matcher(functions)
                        .results()
                        .map(java.util.regex.MatchResult::group)
                        .distinct())
                .hasSizeGreaterThan(14)
                .allSatisfy(state -> assertThat(readme).contains("| " + state + " |"));
    }

    private static String squeezed(String text) {
        return text.replaceAll("\\s+", "");
    }
}
