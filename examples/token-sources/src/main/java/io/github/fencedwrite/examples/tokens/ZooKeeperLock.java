package io.github.fencedwrite.examples.tokens;

import io.github.fencedwrite.FencingToken;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.zookeeper.data.Stat;

/**
 * Curator's lock with a fencing token: the zxid of the transaction that created the lock's node. It grows with every
 * transaction of the ensemble, also when another server becomes the leader.
 *
 * <p>The sequence number in the node's name is no token: it starts again at 0 when the parent node is deleted, which
 * ZooKeeper does by itself once a lock is no longer used, and it has only 31 bits.
 */
public final class ZooKeeperLock extends InterProcessMutex {

    private final CuratorFramework client;

    /**
     * Prepares a lock; nothing is sent yet.
     *
     * @param path of the lock, for example {@code /locks/sku-4711}
     */
    public ZooKeeperLock(CuratorFramework client, String path) {
        super(client, path);
        this.client = client;
    }

    /**
     * The token of this holder. To be called by the thread that holds the lock.
     *
     * @throws IllegalStateException if the lock is not held, or no longer, since the session has expired
     */
    public FencingToken token() throws Exception {
        String node = getLockPath();
        Stat stat = node == null ? null : client.checkExists().forPath(node);
        if (stat == null) {
            throw new IllegalStateException("The lock is not held, or its session has expired. Acquire it again.");
        }
        return FencingToken.of(stat.getCzxid());
    }
}
