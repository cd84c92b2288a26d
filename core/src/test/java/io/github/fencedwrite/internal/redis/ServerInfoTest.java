package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerInfoTest {

    private static final String SERVER =
            "redis_version:6.2.6\r\nredis_mode:standalone\r\nrun_id:abc\r\nuptime_in_seconds:9\r\n";

    private static ServerInfo of(String replication) {
        List<Object> answers = new ArrayList<>(Arrays.asList(
                SERVER.getBytes(UTF_8),
                replication.getBytes(UTF_8),
                List.of("1796000000".getBytes(UTF_8), "0".getBytes(UTF_8))));
        for (Script script : Script.values()) {
            answers.add(script.text());
        }
        answers.add(null);
        return ServerInfo.of(answers, 1_000);
    }

    @Test
    void aMasterIsANode() {
        assertThat(of("role:master\r\n").runId()).isEqualTo("abc");
    }

    @Test
    void aReplicaIsNone() {
        assertThatThrownBy(() -> of("role:slave\r\nmaster_host:redis-1\r\n"))
                .hasMessage("the server is a replica of redis-1; a node is a master");
    }

    @Test
    void whoHidesItsRoleIsNone() {
        assertThatThrownBy(() -> of("connected_slaves:0\r\n"))
                .hasMessage("INFO does not tell the server's role, so it may be a replica");
    }
}
