package io.github.fencedwrite.examples.tokens;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.fencedwrite.FencingToken;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A lock in etcd with a fencing token: the revision in which the lock's key was created. It grows with every change of the
 * whole store, and the answer that grants the lock brings it.
 *
 * <p>Speaks to etcd's JSON gateway, so it needs no library. Safe for use by many threads.
 */
public final class EtcdLock {

    /**
     * A lock that was acquired.
     *
     * @param lease the id of etcd's lease, with which the key disappears
     * @param token to be given to guarded writes
     */
    public record Held(long lease, FencingToken token) {}

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final URI etcd;

    /**
     * Prepares a client; nothing is sent yet.
     *
     * @param etcd for example {@code http://localhost:2379}
     */
    public EtcdLock(URI etcd) {
        this.etcd = etcd;
    }

    /**
     * Acquires a lock if nobody else holds it, with one attempt. If an answer is lost, the key may be there all the same, and
     * disappears after the ttl.
     *
     * @param ttl how long etcd keeps the lock, cut to whole seconds, 1 s at least
     */
    public Optional<Held> tryAcquire(String resource, Duration ttl) throws IOException, InterruptedException {
        long lease = number("ID", call("/v3/lease/grant", "{\"TTL\":" + ttl.toSeconds() + "}"));
        String key = Base64.getEncoder().encodeToString(("lock/" + resource).getBytes(UTF_8));
        String answer = call("/v3/kv/txn", """
                {"compare": [{"key": "%s", "target": "CREATE", "create_revision": 0}],
                 "success": [{"request_put": {"key": "%s", "lease": %d}}]}""".formatted(key, key, lease));
        if (answer.contains("\"succeeded\":true")) {
            return Optional.of(new Held(lease, FencingToken.of(number("revision", answer))));
        }
        call("/v3/lease/revoke", "{\"ID\":" + lease + "}");
        return Optional.empty();
    }

    /** Gives the lock back. Fails if it has expired already. */
    public void release(Held held) throws IOException, InterruptedException {
        call("/v3/lease/revoke", "{\"ID\":" + held.lease() + "}");
    }

    private String call(String path, String json) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(etcd.resolve(path))
                        .timeout(TIMEOUT)
                        .POST(HttpRequest.BodyPublishers.ofString(json))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("etcd answers " + path + " with " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }

    /** The first number of this name: in the answer to a transaction, the header comes first. */
    private static long number(String name, String json) {
        Matcher matcher = Pattern.compile("\"" + name + "\":\"(\\d+)\"").matcher(json);
        if (!matcher.find()) {
            throw new IllegalStateException("etcd's answer has no " + name + ": " + json);
        }
        return Long.parseLong(matcher.group(1));
    }
}
