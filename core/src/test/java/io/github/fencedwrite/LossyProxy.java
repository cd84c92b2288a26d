package io.github.fencedwrite;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Stands before a node on the loopback interface, understands the protocol, and spoils single commands or replies. */
final class LossyProxy implements AutoCloseable {

    /** What to do to a command. */
    enum Fault {
        NONE,
        /** The node never sees the command, and the connection breaks. */
        CUT_BEFORE,
        /** The node executes the command, and the connection breaks instead of the reply. */
        CUT_REPLY,
        /** The node executes the command, and neither this nor any later reply arrives. */
        MUTE,
    }

    private final ServerSocket listener;
    private final String host;
    private final int port;
    private final ConcurrentLinkedQueue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final AtomicInteger hits = new AtomicInteger();
    private volatile Predicate<List<String>> target = command -> false;
    private volatile Fault fault = Fault.NONE;
    private volatile long delayMillis;
    private final ConcurrentLinkedQueue<Call> calls = new ConcurrentLinkedQueue<>();
    private final AtomicInteger connections = new AtomicInteger();

    /** A command as it passed by. */
    record Call(int connection, List<String> command) {}

    LossyProxy(String host, int port) {
        this.host = host;
        this.port = port;
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

    /** Spoils the next command that {@code which} matches, once. */
    void spoilNext(Fault how, Predicate<List<String>> which) {
        hits.set(0);
        fault = how;
        target = which;
    }

    /** Holds up each reply. */
    void delay(long millis) {
        delayMillis = millis;
    }

    /** All commands so far, in the order of their arrival on each connection. */
    List<Call> calls() {
        return List.copyOf(calls);
    }

    /** How many commands were spoilt. */
    int hits() {
        return hits.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket server = new Socket(host, port);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                sockets.add(client);
                sockets.add(server);
                Link link = new Link(client, server);
                daemon(link::forward);
                daemon(link::back);
            } catch (IOException e) {
                // the node is down, or the test is over
            }
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "lossy-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        sockets.forEach(LossyProxy::close);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // closed already
        }
    }

    /** One connection in both directions. */
    private final class Link {

        final Socket client;
        final Socket server;
        final int number = connections.incrementAndGet();
        final LinkedBlockingQueue<Fault> faults = new LinkedBlockingQueue<>();

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void forward() {
            try {
                InputStream in = new BufferedInputStream(client.getInputStream());
                OutputStream out = server.getOutputStream();
                while (true) {
                    ByteArrayOutputStream raw = new ByteArrayOutputStream();
                    List<String> command = command(in, raw);
                    calls.add(new Call(number, command));
                    Fault mine = Fault.NONE;
                    synchronized (LossyProxy.this) {
                        if (fault != Fault.NONE && target.test(command)) {
                            mine = fault;
                            fault = Fault.NONE;
                            hits.incrementAndGet();
                        }
                    }
                    if (mine == Fault.CUT_BEFORE) {
                        throw new EOFException();
                    }
                    faults.add(mine);
                    out.write(raw.toByteArray());
                }
            } catch (IOException e) {
                close(client);
                close(server);
            }
        }

        void back() {
            try {
                InputStream in = new BufferedInputStream(server.getInputStream());
                OutputStream out = client.getOutputStream();
                boolean mute = false;
                while (true) {
                    ByteArrayOutputStream raw = new ByteArrayOutputStream();
                    reply(in, raw);
                    Fault mine = faults.isEmpty() ? Fault.NONE : faults.take();
                    if (mine == Fault.CUT_REPLY) {
                        throw new EOFException();
                    }
                    mute |= mine == Fault.MUTE;
                    if (delayMillis > 0) {
                        // the delay itself is what this proxy is for; no test waits by it
                        Thread.sleep(delayMillis);
                    }
                    if (!mute) {
                        out.write(raw.toByteArray());
                    }
                }
            } catch (IOException | InterruptedException e) {
                close(client);
                close(server);
            }
        }
    }

    private static List<String> command(InputStream in, ByteArrayOutputStream raw) throws IOException {
        int count = Integer.parseInt(line(in, raw).substring(1));
        List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = Integer.parseInt(line(in, raw).substring(1));
            words.add(new String(bytes(in, raw, length + 2), 0, length, StandardCharsets.UTF_8));
        }
        return words;
    }

    private static void reply(InputStream in, ByteArrayOutputStream raw) throws IOException {
        String line = line(in, raw);
        if (line.startsWith("$") && !line.equals("$-1")) {
            bytes(in, raw, Integer.parseInt(line.substring(1)) + 2);
        } else if (line.startsWith("*")) {
            for (int i = Integer.parseInt(line.substring(1)); i > 0; i--) {
                reply(in, raw);
            }
        }
    }

    private static String line(InputStream in, ByteArrayOutputStream raw) throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException();
            }
            raw.write(next);
            if (next == '\n') {
                return line.substring(0, line.length() - 1);
            }
            line.append((char) next);
        }
    }

    private static byte[] bytes(InputStream in, ByteArrayOutputStream raw, int length) throws IOException {
        byte[] read = in.readNBytes(length);
        if (read.length < length) {
            throw new EOFException();
        }
        raw.writeBytes(read);
        return read;
    }
}
