package io.github.fencedwrite.examples.mutants;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests in a JVM of its own and writes what came of them to a file, one {@link Result} a line. Arguments: the file, and
 * the tests, each the name of a class, perhaps with {@code #method}.
 */
final class PlayTests {

    private PlayTests() {}

    public static void main(String[] arguments) throws ClassNotFoundException, IOException {
        List<DiscoverySelector> selectors = new ArrayList<>();
        for (String test : Arrays.asList(arguments).subList(1, arguments.length)) {
            selectors.add(selector(test));
        }
        try (PrintWriter out = new PrintWriter(arguments[0], StandardCharsets.UTF_8)) {
            LauncherFactory.create()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(selectors)
                                    .build(),
                            new Recorder(out));
        }
        System.exit(0); // a test's servers and threads must not keep this JVM alive
    }

    private static DiscoverySelector selector(String test) throws ClassNotFoundException {
        int hash = test.indexOf('#');
        if (hash < 0) {
            return selectClass(Class.forName(test));
        }
        Class<?> type = Class.forName(test.substring(0, hash));
        String name = test.substring(hash + 1);
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            for (Method method : owner.getDeclaredMethods()) {
                if (method.getName().equals(name)) {
                    return selectMethod(type, method);
                }
            }
        }
        throw new IllegalArgumentException("There is no test " + test);
    }

    private static final class Recorder implements TestExecutionListener {

        private final PrintWriter out;

        Recorder(PrintWriter out) {
            this.out = out;
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
            if (test.isTest() || !passed) {
                out.println(Result.of(test, passed, result.getThrowable().orElse(null))
                        .line());
                out.flush();
            }
        }
    }
}
