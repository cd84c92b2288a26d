package io.github.fencedwrite.migrations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The README's configuration of Flyway's Maven plugin, run by the Maven that builds this project. This project's artifacts
 * come from a repository that the test makes, all else from the local one of the build; nothing is installed there.
 */
@Tag("newest")
class FlywayMavenPluginIT {

    private final Path work = Path.of("target", "flyway-maven-plugin").toAbsolutePath();

    @Test
    void configurationOfTheReadmeInstalls() throws Exception {
        String maven = System.getProperty("maven.home", "");
        Assumptions.assumeFalse(maven.isEmpty(), "not run: started without Maven");
        TestDatabase database = TestDatabase.fresh();
        String version = property("project.version");
        publish(version);
        Files.writeString(work.resolve("pom.xml"), project(database.dataSource(), version));
        Files.writeString(work.resolve("settings.xml"), settings());

        Tools.run(List.of(
                Path.of(maven, "bin", "mvn").toString(),
                "-B",
                "-q",
                "-f",
                work.resolve("pom.xml").toString(),
                "-s",
                work.resolve("settings.xml").toString(),
                "-Dmaven.repo.local=" + work.resolve("local"),
                "pre-integration-test"));

        FencingMigrations.on(database.dataSource()).verify();
    }

    private void publish(String version) throws IOException {
        Path group = work.resolve("published/io/github/fencedwrite");
        Path parent =
                Files.createDirectories(group.resolve("fenced-write-parent").resolve(version));
        Path module =
                Files.createDirectories(group.resolve("fenced-write-migrations").resolve(version));
        copy(Path.of("..", "pom.xml"), parent.resolve("fenced-write-parent-" + version + ".pom"));
        copy(Path.of("pom.xml"), module.resolve("fenced-write-migrations-" + version + ".pom"));
        String jar = "fenced-write-migrations-" + version + ".jar";
        copy(Path.of("target", jar), module.resolve(jar));
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.deleteIfExists(to);
        Files.copy(from, to);
    }

    private static String project(PGSimpleDataSource to, String version) {
        String driver = """
                <dependency>
                  <groupId>org.flywaydb</groupId>
                  <artifactId>flyway-database-postgresql</artifactId>
                  <version>%s</version>
                </dependency>
                <dependency>
                  <groupId>org.postgresql</groupId>
                  <artifactId>postgresql</artifactId>
                  <version>%s</version>
                </dependency>
                """.formatted(property("flyway.version"), property("postgresql.version"));
        String plugin = Readme.block("xml", "flyway-maven-plugin")
                .replace("0.1.0-SNAPSHOT", version)
                .replaceFirst("<!-- and .* -->", driver)
                .replaceFirst("<artifactId>flyway-maven-plugin</artifactId>", """
                        <artifactId>flyway-maven-plugin</artifactId>
                        <version>%s</version>
                        <configuration>
                          <url>%s</url>
                          <user>%s</user>
                          <password>%s</password>
                        </configuration>""".formatted(
                        property("flyway.version"), to.getURL().replace("&", "&amp;"), to.getUser(), to.getPassword()));
        return """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>example</groupId>
                  <artifactId>application</artifactId>
                  <version>1</version>
                  <packaging>pom</packaging>
                  <build>
                    <plugins>
                %s
                    </plugins>
                  </build>
                </project>
                """.formatted(plugin);
    }

    private String settings() {
        return """
                <settings>
                  <profiles>
                    <profile>
                      <id>files</id>
                      <pluginRepositories>
                        <pluginRepository><id>build</id><url>%s</url></pluginRepository>
                        <pluginRepository>
                          <id>published</id><url>%s</url><snapshots><enabled>true</enabled></snapshots>
                        </pluginRepository>
                      </pluginRepositories>
                    </profile>
                  </profiles>
                  <activeProfiles><activeProfile>files</activeProfile></activeProfiles>
                </settings>
                """.formatted(
                        Path.of(property("settings.localRepository")).toUri(),
                        work.resolve("published").toUri());
    }

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), name);
    }
}
