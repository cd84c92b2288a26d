package io.github.fencedwrite.examples.servers;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection that stays open, with the bytes of commands and one-line answers in the test's hands. */
final class RedisSocket implements AutoCloseable {

    private final Socket socket = new Socket();
    private final InputStream input;

    RedisSocket(Proxy proxy) throws IOException {
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(proxy.host(), proxy.port()), RedisCommand.TIMEOUT_MILLIS);
        socket.setSoTimeout(RedisCommand.TIMEOUT_MILLIS);
        input = new BufferedInputStream(socket.getInputStream());
    }

    RedisSocket timeout(int millis) throws IOException {
        socket.setSoTimeout(millis);
        return this;
    }

    void write(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Reads up to the end of a line; what comes before the end of the stream otherwise. */
    String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = input.read(); next != -1; next = input.read()) {
            line.append((char) next);
            if (next == '\n') {
                return line.toString();
            }
        }
        return line.append("<end>").toString();
    }

    String ask(String command) throws IOException {
        write(command + "\r\n");
        return readLine();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
