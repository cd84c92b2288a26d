package io.github.fencedwrite.examples.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One command on a connection of its own, with its answer: a bulk as its text, of others the first line. */
final class RedisCommand {

    static final int TIMEOUT_MILLIS = 2_000;

    private RedisCommand() {}

    static String send(RedisNode node, String command) throws IOException {
        return send(node.host(), node.port(), command, TIMEOUT_MILLIS);
    }

    static String send(String host, int port, String command, int timeoutMillis) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), timeoutMillis);
            socket.setSoTimeout(timeoutMillis);
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            String line = reader.readLine();
            if (line == null) {
                throw new IOException("closed without an answer");
            }
            if (!line.startsWith("$") || line.equals("$-1")) {
                return line;
            }
            char[] bulk = new char[Integer.parseInt(line.substring(1))];
            for (int read = 0; read < bulk.length; ) {
                int more = reader.read(bulk, read, bulk.length - read);
                if (more < 0) {
                    throw new IOException("closed within an answer");
                }
                read += more;
            }
            return new String(bulk);
        }
    }
}
