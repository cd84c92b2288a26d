package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** So that a build that means to test with an older Jedis does. */
@Tag("jedis")
class JedisVersionIT {

    @Test
    void isTheOneThatTheBuildMeansToTestWith() throws IOException {
        Properties properties = new Properties();
        try (InputStream found = Jedis.class.getResourceAsStream("pom.properties")) {
            properties.load(found);
        }
        assertThat(properties.getProperty("version")).startsWith(System.getProperty("expected.jedis", "8."));
    }
}
