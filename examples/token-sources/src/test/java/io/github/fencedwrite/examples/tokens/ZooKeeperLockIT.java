package io.github.fencedwrite.examples.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ZooKeeperLockIT {

    private static final String PATH = "/locks/sku-4711";

    private final List<CuratorFramework> clients = new ArrayList<>();
    private TestingServer server;
    private Inventory inventory;

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer(true);
        inventory = new Inventory();
    }

    @AfterEach
    void stop() throws Exception {
        clients.forEach(CuratorFramework::close);
        inventory.close();
        server.close();
    }

    @Test
    void refusesAHolderWhoseSessionHasExpired() throws Exception {
        CuratorFramework clientOfA = client();
        ZooKeeperLock a = new ZooKeeperLock(clientOfA, PATH);
        a.acquire();
        FencingToken paused = a.token();

        expire(clientOfA);
        ZooKeeperLock b = new ZooKeeperLock(client(), PATH);
        b.acquire();

        assertThat(a.isAcquiredInThisProcess()).isTrue(); // it believes so
        inventory.refusesTheFirstOf(paused, b.token());
        assertThatThrownBy(a::token).isInstanceOf(IllegalStateException.class).hasMessageContaining("Acquire it again");
    }

    @Test
    void hasNoTokenWithoutTheLock() throws Exception {
        ZooKeeperLock lock = new ZooKeeperLock(client(), PATH);

        assertThatThrownBy(lock::token).isInstanceOf(IllegalStateException.class);
        lock.acquire();
        assertThat(lock.token().value()).isPositive();
        lock.release();
        assertThatThrownBy(lock::token).isInstanceOf(IllegalStateException.class);
    }

    /** ZooKeeper deletes the parent of an unused lock by itself, after a minute or so; the test does not wait for that. */
    @Test
    void zxidsGrowWhereSequenceNumbersStartAgain() throws Exception {
        CuratorFramework client = client();
        String before = sequential(client);
        FencingToken older = tokenOfOneHolder(client);

        client.delete().deletingChildrenIfNeeded().forPath(PATH);

        assertThat(sequential(client)).isEqualTo(before).endsWith("0000000000");
        assertThat(tokenOfOneHolder(client).isNewerThan(older)).isTrue();
    }

    private static String sequential(CuratorFramework client) throws Exception {
        return client.create()
                .creatingParentContainersIfNeeded()
                .withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
                .forPath(PATH + "/number-");
    }

    private static FencingToken tokenOfOneHolder(CuratorFramework client) throws Exception {
        ZooKeeperLock lock = new ZooKeeperLock(client, PATH);
        lock.acquire();
        try {
            return lock.token();
        } finally {
            lock.release();
        }
    }

    private CuratorFramework client() throws InterruptedException {
        CuratorFramework client = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
        clients.add(client);
        client.start();
        assertThat(client.blockUntilConnected(30, TimeUnit.SECONDS)).isTrue();
        return client;
    }

    /** Ends a session as the server does when it has heard nothing of it for long. */
    private void expire(CuratorFramework client) throws Exception {
        ZooKeeper session = client.getZookeeperClient().getZooKeeper();
        new ZooKeeper(
                        server.getConnectString(),
                        session.getSessionTimeout(),
                        event -> {},
                        session.getSessionId(),
                        session.getSessionPasswd())
                .close();
    }
}
