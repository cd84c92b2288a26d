package io.github.fencedwrite.examples.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Hands out ports of this machine on which nothing listens. They lie below the range from which operating systems take
 * the local port of outgoing connections: a client that keeps trying to reach a killed server could otherwise be given
 * that server's port, connect to itself, and keep the server from coming back.
 */
final class Ports {

    private static final int FROM = 20_000;
    private static final int TO = 32_000;
    private static final int TRIES = 1_000;

    private static final Set<Integer> TAKEN = new HashSet<>();

    private Ports() {}

    /** Reserves a free port within this JVM; another process may still be faster, so the caller must be ready to retry. */
    static synchronized int take() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FROM, TO);
            if (!TAKEN.contains(port) && isFree(port)) {
                TAKEN.add(port);
                return port;
            }
        }
        throw new ServersException("No free port found between " + FROM + " and " + TO);
    }

    static synchronized void giveBack(int port) {
        TAKEN.remove(port);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
