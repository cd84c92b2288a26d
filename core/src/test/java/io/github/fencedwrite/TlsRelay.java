package io.github.fencedwrite;

import io.github.fencedwrite.examples.servers.RedisNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLContext;

/** Makes a TLS server of a node: ends the encryption on loopback and passes on what was in it. */
final class TlsRelay implements AutoCloseable {

    private final ServerSocket listener;
    private final RedisNode node;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

    TlsRelay(SSLContext identity, RedisNode node) {
        this.node = node;
        try {
            listener = identity.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    String uri() {
        return "rediss://127.0.0.1:" + listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket server = new Socket(node.host(), node.port());
                sockets.add(client);
                sockets.add(server);
                daemon(() -> pass(client, server));
                daemon(() -> pass(server, client));
            } catch (IOException e) {
                // the test is over
            }
        }
    }

    private static void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // a failed handshake, or the end of the connection
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "tls-relay");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
