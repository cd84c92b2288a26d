package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import liquibase.Scope;
import liquibase.command.CommandScope;
import liquibase.command.core.UpdateCommandStep;
import liquibase.command.core.helpers.DbUrlConnectionArgumentsCommandStep;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.DirectoryResourceAccessor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plain SQL file, for people without Flyway. */
@Tag("newest")
class PlainSqlIT {

    /** Held here, since the logging of the JDK forgets the level of a logger that nobody holds. */
    private static final Logger LIQUIBASE = Logger.getLogger("liquibase");

    private final TestDatabase database = TestDatabase.fresh();

    @TempDir
    Path directory;

    @Test
    void leavesWhatTheLibraryLeaves() {
        TestDatabase other = TestDatabase.withFencing();
        database.run(FencingMigrations.plainSql());

        assertThat(schema(database)).isEqualTo(schema(other));
        assertThat(FencingMigrations.on(database.dataSource()).install().applied())
                .isEmpty();
    }

    @Test
    void canBeRunAgainAndRepairs() {
        database.run(FencingMigrations.plainSql(), "SELECT fencing.enter('a', 7)");
        String before = schema(database);

        database.run("DROP FUNCTION fencing.protect", FencingMigrations.plainSql(), FencingMigrations.plainSql());

        assertThat(schema(database)).isEqualTo(before);
        assertThat(database.ask("SELECT last_token FROM fencing.fence")).isEqualTo("7");
    }

    @Test
    void bringsAnOlderVersionUpToDate() {
        OtherVersion.of(0).install(database.dataSource());

        database.run(FencingMigrations.plainSql());

        FencingMigrations.on(database.dataSource()).verify();
    }

    @Test
    void isWhatTheJarPrints() throws Exception {
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        PrintSql.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();

        assertThat(new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(FencingMigrations.plainSql());
    }

    /** The change sets are those of the README, see ReadmeIT. */
    @Test
    void runsUnderLiquibase() throws Exception {
        LIQUIBASE.setLevel(Level.WARNING);
        database.run("CREATE TABLE inventory (sku text PRIMARY KEY, stock int)");
        Files.writeString(directory.resolve("fencing.sql"), FencingMigrations.plainSql());
        Files.writeString(
                directory.resolve("changelog.xml"), """
                <databaseChangeLog xmlns="http://www.liquibase.org/xml/ns/dbchangelog"
                    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                    xsi:schemaLocation="http://www.liquibase.org/xml/ns/dbchangelog
                        http://www.liquibase.org/xml/ns/dbchangelog/dbchangelog-latest.xsd">
                """ + Readme.block("xml", "changeSet") + "</databaseChangeLog>\n");

        for (int i = 0; i < 2; i++) {
            Scope.child(
                    Scope.Attr.resourceAccessor.name(),
                    new DirectoryResourceAccessor(directory),
                    () -> new CommandScope(UpdateCommandStep.COMMAND_NAME)
                            .addArgumentValue(
                                    DbUrlConnectionArgumentsCommandStep.DATABASE_ARG,
                                    DatabaseFactory.getInstance()
                                            .findCorrectDatabaseImplementation(new JdbcConnection(
                                                    database.dataSource().getConnection())))
                            .addArgumentValue(UpdateCommandStep.CHANGELOG_FILE_ARG, "changelog.xml")
                            .execute());
        }

        FencingMigrations.on(database.dataSource()).verify();
        assertThat(database.ask("SELECT mode FROM fencing.protected_tables")).isEqualTo("guarded");
    }

    private static String schema(TestDatabase database) {
        return database.ask("""
                SELECT string_agg(line, E'\\n' ORDER BY line) FROM (
                    SELECT 'function ' || p.oid::regprocedure || ' ' || md5(prosrc || coalesce(array_to_string(proconfig, ' '), ''))
                    FROM pg_proc AS p WHERE pronamespace = 'fencing'::regnamespace
                    UNION ALL
                    SELECT format('column %s.%s %s %s', attrelid::regclass, attname, atttypid::regtype, attnotnull)
                    FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid WHERE relnamespace = 'fencing'::regnamespace
                    UNION ALL
                    SELECT format('history %s %s %s', version, script, checksum) FROM fencing.flyway_schema_history
                ) AS lines (line)""");
    }
}
