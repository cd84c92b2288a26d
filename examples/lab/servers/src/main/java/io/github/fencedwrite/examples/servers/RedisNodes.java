package io.github.fencedwrite.examples.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A group of independent Redis nodes. Several groups can live side by side. Thread safe.
 *
 * <p>Nodes that are started here are empty and carry no password; they keep their data over {@link RedisNode#restart}
 * with {@link Data#KEPT}, append-only file on, no RDB file. {@code --appendonly no} among the settings gives Redis's own
 * default semantics: what comes back is the last RDB file.
 */
public final class RedisNodes implements AutoCloseable {

    private final ServerKind kind;
    private final List<RedisNode> nodes;
    private final @Nullable Path directory;

    private RedisNodes(ServerKind kind, List<RedisNode> nodes, @Nullable Path directory) {
        this.kind = kind;
        this.nodes = List.copyOf(nodes);
        this.directory = directory;
    }

    /**
     * Starts nodes and returns when all of them answer. Where the user gave addresses, takes the first of them instead.
     *
     * @param count the number of nodes, 1 or more
     * @param settings further settings as redis-server takes them on its command line, for example
     *     {@code "--maxmemory", "2mb"}; not the port, the directory, the bind address or the log
     * @return the nodes, to be closed by the caller
     * @throws ServersException if a node does not come up, or if the user gave too few addresses
     * @throws IllegalArgumentException if {@code count} is below 1
     */
    public static RedisNodes start(int count, String... settings) {
        return nodes(count).settings(settings).start();
    }

    /**
     * Begins the description of nodes that need more than settings.
     *
     * @param count the number of nodes, 1 or more
     * @return a builder, not thread safe
     * @throws IllegalArgumentException if {@code count} is below 1
     */
    public static Builder nodes(int count) {
        return new Builder(count);
    }

    /**
     * Returns all nodes.
     *
     * @return the nodes in the order in which they were started, unmodifiable
     */
    public List<RedisNode> all() {
        return nodes;
    }

    /**
     * Returns one node.
     *
     * @param index 0 to the number of nodes minus 1
     * @return the node
     * @throws IndexOutOfBoundsException if there is no such node
     */
    public RedisNode get(int index) {
        return nodes.get(index);
    }

    /**
     * Returns the addresses of all nodes.
     *
     * @return one {@code redis://host:port} per node, unmodifiable
     */
    public List<String> uris() {
        return nodes.stream().map(RedisNode::uri).toList();
    }

    /**
     * Tells where these nodes come from.
     *
     * @return the kind, never null
     */
    public ServerKind kind() {
        return kind;
    }

    /**
     * Tells whether the nodes were empty when this group was started, so that they cannot have forgotten a lock.
     *
     * @return true for nodes started here, false for those whose addresses the user gave
     */
    public boolean startedEmpty() {
        return kind != ServerKind.GIVEN;
    }

    /** Ends the nodes that were started here, frozen ones too, and deletes their files. Idempotent. */
    @Override
    public void close() {
        for (RedisNode node : nodes) {
            if (node instanceof EmbeddedRedisNode embedded) {
                embedded.close();
            } else if (node instanceof ContainerRedisNode container) {
                container.close();
            }
        }
        if (directory != null) {
            Workspace.delete(directory);
        }
    }

    /** Describes nodes before they are started. Not thread safe. */
    public static final class Builder {

        private final int count;
        private final List<String> settings = new ArrayList<>();
        private final Map<String, String> environment = new HashMap<>();
        private boolean embedded;

        private Builder(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("count must be 1 or more, not " + count);
            }
            this.count = count;
        }

        /**
         * Adds settings as redis-server takes them on its command line.
         *
         * @param more for example {@code "--maxmemory", "2mb"}
         * @return this builder
         */
        public Builder settings(String... more) {
            settings.addAll(List.of(more));
            return this;
        }

        /**
         * Adds an environment variable of the server processes, for example {@code LD_PRELOAD}.
         *
         * @param name the variable
         * @param value its value
         * @return this builder
         */
        public Builder environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /**
         * Asks for processes on this machine, whatever {@code -Dservers} and {@code -Dredis.nodes} say: for tests that
         * need this machine's files or libraries.
         *
         * @return this builder
         */
        public Builder embedded() {
            embedded = true;
            return this;
        }

        /**
         * Starts the nodes and returns when all of them answer.
         *
         * @return the nodes, to be closed by the caller
         * @throws ServersException if a node does not come up, or if the user gave too few addresses or addresses cannot
         *     take the settings asked for
         */
        public RedisNodes start() {
            ServerKind kind = embedded ? ServerKind.EMBEDDED : Servers.redis();
            return switch (kind) {
                case GIVEN -> given();
                case CONTAINERS -> containers();
                case EMBEDDED -> embeddedNodes();
            };
        }

        private RedisNodes given() {
            if (!settings.isEmpty() || !environment.isEmpty()) {
                throw new ServersException("These nodes need settings of their own (" + settings + " " + environment
                        + "), which those of -D" + Servers.REDIS_NODES + " cannot get; leave the property away");
            }
            List<String> addresses = Servers.propertyList(Servers.REDIS_NODES);
            if (addresses.size() < count) {
                throw new ServersException(count + " nodes are needed, -D" + Servers.REDIS_NODES + " names "
                        + addresses.size() + ": " + addresses);
            }
            List<RedisNode> nodes = new ArrayList<>();
            for (String address : addresses.subList(0, count)) {
                RedisNode node = GivenRedisNode.parse(address);
                nodes.add(node);
            }
            return new RedisNodes(ServerKind.GIVEN, nodes, null);
        }

        private RedisNodes containers() {
            List<ContainerRedisNode> nodes = new ArrayList<>();
            try {
                for (int i = 1; i <= count; i++) {
                    ContainerRedisNode node = new ContainerRedisNode(settings, environment);
                    nodes.add(node);
                    node.launch();
                }
                nodes.forEach(ContainerRedisNode::awaitStart);
            } catch (RuntimeException e) {
                nodes.forEach(ContainerRedisNode::close);
                throw e;
            }
            return new RedisNodes(ServerKind.CONTAINERS, List.copyOf(nodes), null);
        }

        private RedisNodes embeddedNodes() {
            Path directory = Workspace.instance().newDirectory("redis");
            List<EmbeddedRedisNode> nodes = new ArrayList<>();
            try {
                for (int i = 1; i <= count; i++) {
                    EmbeddedRedisNode node = new EmbeddedRedisNode(
                            directory.resolve("node-" + i), List.copyOf(settings), Map.copyOf(environment));
                    nodes.add(node);
                    node.launch();
                }
                nodes.forEach(EmbeddedRedisNode::awaitFirstStart);
            } catch (RuntimeException e) {
                nodes.forEach(EmbeddedRedisNode::close);
                Workspace.delete(directory);
                throw e;
            }
            return new RedisNodes(ServerKind.EMBEDDED, List.copyOf(nodes), directory);
        }
    }
}
