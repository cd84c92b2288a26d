package io.github.fencedwrite.examples.inventory.story;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * The second JVM. Tells what happens on standard output, one line each; between reading and writing it says
 * {@value #READY_TO_WRITE} and waits for a line on standard input, which is sent while the process is stopped: so it
 * goes on when it is continued, and not a moment earlier.
 */
final class HolderMain {

    static final String READY_TO_WRITE = "READY_TO_WRITE";

    private HolderMain() {}

    public static void main(String[] args) {
        List<String> arguments = List.of(args);
        String name = arguments.get(0);
        Guarding guarding = Guarding.valueOf(arguments.get(1));
        int quantity = Integer.parseInt(arguments.get(2));
        Duration ttl = Duration.ofMillis(Long.parseLong(arguments.get(3)));
        Holder.Servers servers = Holder.Servers.fromArguments(arguments.subList(4, arguments.size()));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Holder holder = new Holder(name, servers, System.out::println)) {
            holder.sell(guarding, quantity, ttl, () -> {
                System.out.println(READY_TO_WRITE);
                awaitLine(in);
            });
        }
    }

    private static void awaitLine(BufferedReader in) {
        try {
            if (in.readLine() == null) {
                throw new IllegalStateException("standard input ended");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
