package io.github.fencedwrite;

import io.github.fencedwrite.examples.servers.RedisNode;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A real node that now and then answers something that no Redis would, on loopback. */
final class HostileNode implements AutoCloseable {

    private final ServerSocket listener;
    private final RedisNode real;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger spoilt = new AtomicInteger();
    private @Nullable StrangeReplies replies;
    private int rightOnes;

    HostileNode(RedisNode real) {
        this.real = real;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    String uri() {
        return "redis://127.0.0.1:" + listener.getLocalPort();
    }

    /** After {@code right} right replies one is strange; null for all right again. */
    synchronized void answerStrangely(@Nullable StrangeReplies strange, int right) {
        replies = strange;
        rightOnes = right;
    }

    private synchronized StrangeReplies.@Nullable Strange insteadOf(byte[] right) {
        StrangeReplies strange = replies;
        if (strange == null || rightOnes-- > 0) {
            return null;
        }
        replies = null;
        spoilt.incrementAndGet();
        return strange.insteadOf(right);
    }

    /** How many replies were spoilt so far. */
    int spoilt() {
        return spoilt.get();
    }

    /** How many connections clients have now. */
    int connections() {
        return sockets.size();
    }

    /** Closes what is open, so that clients have to connect again. */
    void hangUp() {
        sockets.forEach(HostileNode::close);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                client.setTcpNoDelay(true);
                sockets.add(client);
                daemon(() -> serve(client));
            } catch (IOException e) {
                // the test is over
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket server = new Socket(real.host(), real.port())) {
            server.setTcpNoDelay(true);
            InputStream fromClient = new BufferedInputStream(client.getInputStream());
            InputStream fromServer = new BufferedInputStream(server.getInputStream());
            OutputStream out = client.getOutputStream();
            while (true) {
                server.getOutputStream().write(RespFrame.read(fromClient));
                byte[] right = RespFrame.read(fromServer);
                while (new String(right, StandardCharsets.ISO_8859_1).startsWith(">3\r\n$7\r\nmessage")) {
                    out.write(right); // belongs to no command
                    right = RespFrame.read(fromServer);
                }
                StrangeReplies.Strange strange = insteadOf(right);
                if (strange == null) {
                    out.write(right);
                    continue;
                }
                out.write(strange.bytes());
                while (strange.forEver().length > 0) {
                    out.write(strange.forEver()); // until the client hangs up
                }
                if (strange.hangUp()) {
                    return;
                }
            }
        } catch (IOException e) {
            // one of the two is gone
        } finally {
            sockets.remove(client);
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "hostile-node");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // closed already
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        hangUp();
    }
}
