package io.github.fencedwrite.examples.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The user as whom servers run that refuse to be started by root: a user namespace where the machine has them, else nobody.
 * Everybody else runs them himself.
 */
final class OtherUser {

    private static final String NOBODY = "65534";

    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));
    private static final boolean OWN_NAMESPACE = ROOT && succeeds("unshare", "-U", "true");
    private static final boolean IS_NOBODY = ROOT && !OWN_NAMESPACE;

    private OtherUser() {}

    /** A command line that runs this program as that user. */
    static List<String> command(Path program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (OWN_NAMESPACE) {
            command.addAll(List.of("unshare", "-U"));
        } else if (IS_NOBODY) {
            command.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
        }
        command.add(program.toString());
        command.addAll(List.of(arguments));
        return command;
    }

    /** Lets that user use a file or directory that this JVM has made. */
    static void handOver(Path path) throws IOException {
        if (IS_NOBODY) {
            Files.setAttribute(path, "unix:uid", Integer.parseInt(NOBODY));
            Files.setPosixFilePermissions(
                    Workspace.instance().directory(), PosixFilePermissions.fromString("rwx--x--x"));
        }
    }

    /** As {@link #handOver}, with everything below a directory. */
    static void handOverTree(Path directory) throws IOException {
        if (IS_NOBODY) {
            try (Stream<Path> tree = Files.walk(directory)) {
                for (Path path : (Iterable<Path>) tree::iterator) {
                    handOver(path);
                }
            }
        }
    }

    private static boolean succeeds(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
