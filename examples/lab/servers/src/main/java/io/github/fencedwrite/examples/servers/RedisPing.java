package io.github.fencedwrite.examples.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Asks a Redis server whether it answers, on a connection of its own and without a client library. */
final class RedisPing {

    private RedisPing() {}

    /** Returns true if the server takes commands, be it only to ask for a password. */
    static boolean answers(String host, int port, Duration timeout) {
        int millis = Math.toIntExact(timeout.toMillis());
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), millis);
            socket.setSoTimeout(millis);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            return answer != null
                    && (answer.startsWith("+PONG") || answer.startsWith("-NOAUTH") || answer.startsWith("-NOPERM"));
        } catch (IOException notYet) {
            return false;
        }
    }
}
