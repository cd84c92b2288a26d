package io.github.fencedwrite.examples.servers;

import java.io.IOException;
import java.util.List;

/** Main class of a JVM that starts servers, prints what belongs to them, and waits to be ended. */
final class ServersOfAnotherJvm {

    private ServersOfAnotherJvm() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
        RedisNodes nodes = RedisNodes.nodes(2).embedded().start();
        EmbeddedPostgresServer postgres = EmbeddedPostgresServer.start(List.of());
        nodes.get(0).pause();
        ProcessHandle.current().descendants().forEach(process -> System.out.println("process " + process.pid()));
        System.out.println("directory " + Workspace.instance().directory());
        System.out.println("port " + nodes.get(1).port());
        System.out.println("running " + postgres.isRunning());
        System.out.println("ready");
        int endOfInput = System.in.read();
        System.exit(endOfInput == -1 ? 0 : 1);
    }
}
