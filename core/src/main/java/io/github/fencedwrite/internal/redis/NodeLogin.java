package io.github.fencedwrite.internal.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisCredentials;
import redis.clients.jedis.RedisCredentialsProvider;

/**
 * How a client logs in to its nodes: with what stands in a node's address, else with what Jedis's configuration says then, so
 * that credentials may change. Safe for use by many threads as far as the configuration is.
 */
public final class NodeLogin {

    /** Nothing but what stands in the address. */
    public static final NodeLogin BY_ADDRESS = new NodeLogin(null);

    private final @Nullable JedisClientConfig config;

    private NodeLogin(@Nullable JedisClientConfig config) {
        this.config = config;
    }

    /** As {@code config} says where the address says nothing. */
    public static NodeLogin of(JedisClientConfig config) {
        return new NodeLogin(config);
    }

    /**
     * The commands to begin a connection with, the last one of which may fail. Asks the application for credentials, which may
     * take its time: not in a step.
     *
     * @throws RuntimeException if the application has none to give
     */
    List<CommandArguments> commands(NodeAddress address) {
        List<CommandArguments> commands = new ArrayList<>();
        if (address.password() != null) {
            commands.add(auth(address.user(), address.password()));
        } else if (config != null) {
            addAuth(commands, config.getCredentialsProvider());
        }
        if (address.database() != 0) {
            commands.add(new CommandArguments(Protocol.Command.SELECT).add(address.database()));
        }
        commands.add(hello());
        return commands;
    }

    private static void addAuth(List<CommandArguments> commands, @Nullable Supplier<RedisCredentials> supplier) {
        if (supplier == null) {
            return;
        }
        RedisCredentialsProvider provider = supplier instanceof RedisCredentialsProvider whole ? whole : null;
        if (provider != null) {
            provider.prepare();
        }
        try {
            RedisCredentials credentials = supplier.get();
            if (credentials != null && credentials.getPassword() != null) {
                commands.add(auth(credentials.getUser(), new String(credentials.getPassword())));
            }
        } finally {
            if (provider != null) {
                provider.cleanUp();
            }
        }
    }

    private static CommandArguments auth(@Nullable String user, String password) {
        CommandArguments auth = new CommandArguments(Protocol.Command.AUTH);
        return (user == null ? auth : auth.add(user)).add(password);
    }

    private CommandArguments hello() {
        CommandArguments hello = new CommandArguments(Protocol.Command.HELLO).add("3");
        String name = config == null ? null : config.getClientName();
        return name == null ? hello : hello.add("SETNAME").add(name);
    }
}
