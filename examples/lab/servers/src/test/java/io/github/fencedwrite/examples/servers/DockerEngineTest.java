package io.github.fencedwrite.examples.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;

final class DockerEngineTest {

    @Test
    void knowsTheImageWithWhichThisVersionOfTestcontainersCleansUp() throws IOException {
        try (InputStream stream = DockerClientFactory.class.getResourceAsStream("utility/RyukContainer.class")) {
            String constants = new String(stream.readAllBytes(), StandardCharsets.ISO_8859_1);
            assertThat(constants).contains(DockerEngine.RYUK_IMAGE);
        }
    }
}
