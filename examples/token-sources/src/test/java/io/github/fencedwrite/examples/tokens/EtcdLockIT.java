package io.github.fencedwrite.examples.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EtcdLockIT {

    private static final Duration TTL = Duration.ofSeconds(60);

    private static Etcd etcd;

    @BeforeAll
    static void start() throws Exception {
        etcd = Etcd.start();
    }

    @AfterAll
    static void stop() throws Exception {
        if (etcd != null) {
            etcd.close();
        }
    }

    @Test
    void refusesAHolderWhoseLeaseRanOut() throws Exception {
        EtcdLock lockOfA = new EtcdLock(etcd.uri());
        EtcdLock lockOfB = new EtcdLock(etcd.uri());
        EtcdLock.Held a = lockOfA.tryAcquire("sku:4711", Duration.ofSeconds(1)).orElseThrow();

        AtomicReference<EtcdLock.Held> b = new AtomicReference<>();
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            lockOfB.tryAcquire("sku:4711", TTL).ifPresent(b::set);
            return b.get() != null;
        });

        try (Inventory inventory = new Inventory()) {
            inventory.refusesTheFirstOf(a.token(), b.get().token());
        }
        assertThatThrownBy(() -> lockOfA.release(a))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not found");
    }

    @Test
    void givesTheLockToOneOnlyAndAGreaterTokenToTheNext() throws Exception {
        EtcdLock lock = new EtcdLock(etcd.uri());
        EtcdLock.Held first = lock.tryAcquire("sku:4712", TTL).orElseThrow();
        assertThat(lock.tryAcquire("sku:4712", TTL)).isEmpty();
        lock.release(first);

        FencingToken next = lock.tryAcquire("sku:4712", TTL).orElseThrow().token();

        assertThat(next.isNewerThan(first.token())).isTrue();
    }
}
