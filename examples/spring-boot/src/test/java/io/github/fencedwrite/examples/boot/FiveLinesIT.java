package io.github.fencedwrite.examples.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.NodeStatus;
import io.github.fencedwrite.jdbi.Fencing;
import io.github.fencedwrite.jdbi.WriteOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

class FiveLinesIT {

    private static final Path MODULE = Path.of("..", "spring-boot");

    @Test
    void areThoseOfTheReadme() throws Exception {
        Matcher snippet = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(MODULE.resolve("README.md")));
        String source = Files.readString(
                MODULE.resolve("src/test/java/" + FiveLines.class.getName().replace('.', '/') + ".java"));

        assertThat(snippet.find()).isTrue();
        assertThat(source).containsIgnoringWhitespaces(snippet.group(1));
    }

    @Test
    void areEnough() {
        try (LocalServers servers = new LocalServers();
                ConfigurableApplicationContext context = new SpringApplicationBuilder(FiveLines.class)
                        .web(WebApplicationType.NONE)
                        .run(servers.arguments())) {
            assertThat(context.getBean(FencedLocks.class).nodeStatuses())
                    .hasSize(3)
                    .allMatch(NodeStatus::up);
            WriteOutcome outcome = context.getBean(Jdbi.class).withHandle(handle -> {
                handle.execute("INSERT INTO product (sku, price, stock) VALUES ('4711', 1, 1)");
                return Fencing.fence(
                                handle.createUpdate("UPDATE product SET stock = 2 WHERE sku = '4711'"),
                                FencingToken.of(1))
                        .execute();
            });
            assertThat(outcome).isEqualTo(new WriteOutcome.Applied(1));
        }
    }
}
