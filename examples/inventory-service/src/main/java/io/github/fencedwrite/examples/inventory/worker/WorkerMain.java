package io.github.fencedwrite.examples.inventory.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.fencedwrite.examples.inventory.worker.WorkerEvent.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A worker in a JVM of its own: takes commands on standard input, tells events on standard output. What it is sent
 * while it is stopped it finds when it goes on, and not a moment earlier. Ends when its input does.
 */
final class WorkerMain {

    private static final ObjectMapper JSON = new ObjectMapper();

    private WorkerMain() {}

    public static void main(String[] args) throws IOException {
        List<String> arguments = List.of(args);
        String name = arguments.get(0);
        WorkerServers servers = WorkerServers.fromArguments(arguments.subList(1, arguments.size()));
        PrintStream out = System.out;
        System.setOut(System.err); // so that nobody else writes between the events
        WorkerTells tells = new WorkerTells(name, event -> out.println(toJson(event)));
        Thinking thinking = new Thinking();
        ExecutorService sales = Executors.newSingleThreadExecutor();
        try (Worker worker = new Worker(name, servers, tells, thinking);
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            tells.tell(Kind.READY, "is ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                WorkerCommand command = JSON.readValue(line, WorkerCommand.class);
                switch (command.action()) {
                    case GO -> thinking.go();
                    case SELL -> {
                        thinking.prepare(command.thinkMillis());
                        sales.execute(() -> worker.sell(command));
                    }
                }
            }
        } finally {
            sales.shutdownNow();
        }
    }

    private static String toJson(WorkerEvent event) {
        try {
            return JSON.writeValueAsString(event);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
