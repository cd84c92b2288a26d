package io.github.fencedwrite.internal.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.PushConsumerChain;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;

/**
 * One Jedis connection whose writing and reading are separate steps, so that a caller can write to all nodes before it
 * waits for any. Logged in and with its database selected from the start.
 */
final class Wire extends Connection {

    private final DeadlineSocket socket;
    // assigned at the first read, which may happen in the superclass's constructor: hence neither final nor initialised
    @SuppressWarnings("NullAway.Init")
    private ReplyReader reader;

    private Wire(DeadlineSocket socket, Socket layered, DefaultJedisClientConfig login) {
        super(() -> layered, login);
        this.socket = socket;
    }

    /**
     * Connects to the first of {@code hosts} that answers, encrypts if asked for, and logs in, all within
     * {@code timeoutNanos}.
     *
     * @throws JedisConnectionException if that fails or takes longer
     * @throws JedisDataException if the server refuses the login or is not ready
     */
    static Wire connect(NodeAddress address, InetAddress[] hosts, long timeoutNanos) {
        try {
            long deadline = System.nanoTime() + timeoutNanos;
            for (int i = 0; i < hosts.length - 1; i++) {
                try {
                    return connect(address, hosts[i], deadline);
                } catch (IOException e) {
                    // the name has further addresses
                }
            }
            return connect(address, hosts[hosts.length - 1], deadline);
        } catch (IOException e) {
            throw new JedisConnectionException(e);
        }
    }

    private static Wire connect(NodeAddress address, InetAddress host, long deadline) throws IOException {
        DeadlineSocket socket = new DeadlineSocket();
        try {
            socket.readUntil(deadline);
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            socket.connect(new InetSocketAddress(host, address.port()), (int) Math.max(1, millis));
            return new Wire(socket, address.tls() ? encrypt(socket, address) : socket, login(address));
        } catch (IOException | RuntimeException e) {
            abort(socket);
            throw e;
        }
    }

    private static Socket encrypt(Socket plain, NodeAddress address) throws IOException {
        SSLSocket socket = (SSLSocket) trusted().createSocket(plain, address.host(), address.port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** By the default context of now; the default factory would be that of whoever asked for one first. */
    private static SSLSocketFactory trusted() throws IOException {
        try {
            return SSLContext.getDefault().getSocketFactory();
        } catch (NoSuchAlgorithmException e) {
            throw new SSLException(e);
        }
    }

    private static DefaultJedisClientConfig login(NodeAddress address) {
        return DefaultJedisClientConfig.builder()
                .autoNegotiateProtocol(false)
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .user(address.user())
                .password(address.password())
                .database(address.database())
                .build();
    }

    /** Writes a command, all the way to the socket. */
    void write(CommandArguments command) {
        sendCommand(command);
        flush();
    }

    /** Sends what {@link #sendCommand} has buffered. */
    void flushAll() {
        flush();
    }

    /** Waits until the next reply begins or {@code deadline} is past; takes at least a quick look. */
    boolean awaitReply(long deadline) {
        socket.readUntil(deadline);
        try {
            reader.await();
            return true;
        } catch (JedisConnectionException e) {
            if (e.getCause() instanceof SocketTimeoutException) {
                return false;
            }
            throw e;
        }
    }

    /** Reads one reply; an error reply is returned, not thrown. */
    @Nullable Object read(long deadline) {
        socket.readUntil(deadline);
        try {
            return getUnflushedObject();
        } catch (JedisDataException error) {
            return error;
        }
    }

    @Override
    protected @Nullable Object protocolRead(RedisInputStream stream, PushConsumerChain pushes) {
        if (reader == null) {
            reader = new ReplyReader(stream);
        }
        return reader.read();
    }

    /** Closes at once and takes back what the network has not delivered yet. */
    void abort() {
        setBroken();
        abort(socket);
    }

    private static void abort(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // closed already
        }
        try {
            socket.close();
        } catch (IOException e) {
            // nothing is left to be closed
        }
    }

    /** Closes after what was written; the answers are no longer of interest. */
    void closeGently() {
        setBroken();
        try {
            socket.close();
        } catch (IOException e) {
            // nothing is left to be closed
        }
    }
}
