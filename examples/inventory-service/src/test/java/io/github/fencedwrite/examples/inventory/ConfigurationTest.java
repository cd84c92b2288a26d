package io.github.fencedwrite.examples.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationTest {

    @Test
    void readsWhatIsSetAndHasDefaultsForTheRest() {
        Configuration configuration = Configuration.from(Map.of(
                "REDIS_NODES", "redis://a:1, redis://b:2,redis://c:3",
                "DATABASE_URL", "jdbc:postgresql://db/inventory",
                "DATABASE_PASSWORD", "secret",
                "LEASE_TTL", "PT4S"));

        assertThat(configuration.redisNodes()).isEqualTo(List.of("redis://a:1", "redis://b:2", "redis://c:3"));
        assertThat(configuration.leaseTtl()).isEqualTo(Duration.ofSeconds(4));
        assertThat(configuration.port()).isEqualTo(8080);
        assertThat(configuration.host()).isEqualTo("0.0.0.0");
        assertThat(configuration.toString()).doesNotContain("secret");
    }

    @Test
    void servesThisMachineOnlyWhereNoServersAreGiven() {
        assertThat(Configuration.from(Map.of()).host()).isEqualTo("127.0.0.1");
    }

    @ParameterizedTest
    @CsvSource({"PORT,x", "PORT,65536", "LEASE_TTL,10", "LOCK_WAIT,-PT1S", "SHUTDOWN_TIMEOUT,soon"})
    void namesTheVariableThatCannotBeUsed(String name, String value) {
        assertThatThrownBy(() -> Configuration.from(Map.of(name, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(value);
    }

    @Test
    void wantsBothServersOrNone() {
        assertThatThrownBy(() -> Configuration.from(Map.of("REDIS_NODES", "redis://a:1")))
                .hasMessageContaining("DATABASE_URL");
    }
}
