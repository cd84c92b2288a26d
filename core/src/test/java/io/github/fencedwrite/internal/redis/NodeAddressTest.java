package io.github.fencedwrite.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeAddressTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "redis://host,                   host,   6379,  false, -,   -,     0",
                "redis://host/,                  host,   6379,  false, -,   -,     0",
                "redis://host:,                  host,   6379,  false, -,   -,     0",
                "rediss://host:1,                host,   1,     true,  -,   -,     0",
                "RedisS://host:65535/0,          host,   65535, true,  -,   -,     0",
                "REDIS://10.0.0.7:7000/15,       10.0.0.7, 7000, false, -,  -,     15",
                "redis://host/99999,             host,   6379,  false, -,   -,     99999",
                "redis://[::1],                  ::1,    6379,  false, -,   -,     0",
                "redis://[fe80::1]:7000/2,       fe80::1, 7000, false, -,   -,     2",
                "redis://:secret@host,           host,   6379,  false, -,   secret, 0",
                "redis://u:secret@host,          host,   6379,  false, u,   secret, 0",
                "redis://user:se:cret@host:1/3,  host,   1,     false, user, se:cret, 3",
                "redis://user:s%2Fe%40%25@host,  host,   6379,  false, user, s/e@%, 0",
                "redis://us%3Aer:s%3Ae@host,     host,   6379,  false, us:er, s:e,  0",
                "redis://redis_1,                redis_1, 6379, false, -,   -,     0",
                "redis://_a.b_c:7000/3,          _a.b_c, 7000,  false, -,   -,     3",
                "rediss://u:s%40e@redis_1:1,     redis_1, 1,    true,  u,   s@e,   0",
                "redis://:secret@redis_1:,       redis_1, 6379, false, -,   secret, 0",
                "redis://user:@host,             host,   6379,  false, user, '',   0"
            })
    void isReadFromAUri(
            String uri,
            String host,
            int port,
            boolean tls,
            @Nullable String user,
            @Nullable String password,
            int database) {
        assertThat(NodeAddress.parse(uri)).isEqualTo(new NodeAddress(host, port, tls, user, password, database));
    }

    @ParameterizedTest
    @CsvSource({
        "redis://ho st,            is not a URI",
        "host,                     has no scheme",
        "host:6379,                has no scheme",
        "http://host,              starts with http",
        "unix:///tmp/redis.sock,   starts with unix",
        "redis:host,               no host",
        "redis:///1,               no host",
        "redis://h_1:x,            no host",
        "redis://h_1:655360,       no host",
        "redis://h_1:65536,        1 to 65535",
        "redis://h_1-,             no host",
        "redis://-_1,              no host",
        "redis://user@h_1,         a user without a password",
        "redis://u:s@t@h_1,        no host",
        "redis://h_1?a=b,          query or fragment",
        "redis://host?a=b,         query or fragment",
        "redis://host#a,           query or fragment",
        "redis://host:0,           1 to 65535",
        "redis://host:65536,       1 to 65535",
        "redis://user@host,        a user without a password",
        "redis://@host,            a user without a password",
        "redis://host/x,           number of a database",
        "redis://host/-1,          number of a database",
        "redis://host/100000,      number of a database",
        "redis://host/1/,          number of a database",
        "redis://host//,           number of a database"
    })
    void isRefusedWithTheReasonAndTheFormThatCanBeRead(String uri, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeAddress.parse(uri))
                .withMessageContaining(why)
                .withMessageContaining("redis://[user:password@]host[:port][/database]");
    }

    @ParameterizedTest
    @CsvSource({
        "redis://host,               host:6379",
        "rediss://user:pw@host:1/0,  host:1",
        "redis://user:pw@host:1/7,   host:1/7",
        "redis://[::1]:7000,         [::1]:7000",
        "redis://[fe80::1]/3,        [fe80::1]:6379/3"
    })
    void isNamedWithoutItsPassword(String uri, String name) {
        NodeAddress address = NodeAddress.parse(uri);
        assertThat(address.name()).isEqualTo(name);
        assertThat(address).hasToString(name);
    }
}
