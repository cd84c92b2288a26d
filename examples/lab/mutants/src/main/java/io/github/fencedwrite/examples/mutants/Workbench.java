package io.github.fencedwrite.examples.mutants;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * A copy of one module's compiled classes in a temporary directory, in which one source may be replaced, and the module's
 * tests against that copy. Closing it deletes the directory; the module itself is never touched.
 */
final class Workbench implements AutoCloseable {

    private static final long MINUTES = 5;

    private final Path root;
    private final Path module;
    private final Path directory;
    private final Path classes;

    Workbench(Path root, String module) throws IOException {
        this.root = root;
        this.module = root.resolve(module);
        this.directory = Files.createTempDirectory("mutant");
        this.classes = Files.createDirectory(directory.resolve("classes"));
        Path original = this.module.resolve("target/classes");
        try (Stream<Path> files = Files.walk(original)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = classes.resolve(original.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }

    /**
     * Puts the mutant's source into the copy, compiled if it is Java, joined with the others if it is a part of a script.
     *
     * @throws IllegalStateException if the mutant does not compile
     */
    void apply(Mutant mutant) throws IOException {
        Path source = mutant.source(root);
        if (source.startsWith(module.resolve("src/main/sql"))) {
            replacePart(Mutant.read(source), mutant.changed(root));
            return;
        }
        Path javaSources = module.resolve("src/main/java");
        boolean java = source.startsWith(javaSources);
        Path base = java ? javaSources : module.resolve("src/main/resources");
        Path target = (java ? directory.resolve("sources") : classes)
                .resolve(base.relativize(source).toString());
        Files.createDirectories(target.getParent());
        Files.writeString(target, mutant.changed(root));
        if (java) {
            compile(mutant, target);
        }
    }

    /** Parts of SQL scripts stand in the joined script word for word. */
    private void replacePart(String part, String changed) throws IOException {
        List<Path> scripts;
        try (Stream<Path> files = Files.walk(classes)) {
            scripts = files.filter(file -> file.toString().endsWith(".sql"))
                    .filter(file -> Mutant.read(file).contains(part))
                    .toList();
        }
        if (scripts.size() != 1) {
            throw new IllegalStateException("Build the module anew: a part of its SQL stands in " + scripts);
        }
        Files.writeString(
                scripts.get(0),
                Mutant.read(scripts.get(0)).replace(part, changed.endsWith("\n") ? changed : changed + "\n"));
    }

    private void compile(Mutant mutant, Path source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options = List.of(
                "--release",
                "17",
                "-parameters",
                "-proc:none",
                "-nowarn",
                "-cp",
                classPath(),
                "-d",
                classes.toString());
        boolean compiled;
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            compiled = compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        if (!compiled) {
            throw new IllegalStateException(mutant + " does not compile: " + messages);
        }
    }

    /** Runs tests, each the simple name of a class, perhaps with {@code #method}, against the copy. */
    List<Result> play(List<String> tests) throws IOException, InterruptedException {
        Path report = directory.resolve("report");
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1", // a short life
                "-XX:+UseSerialGC",
                "-Dservers=" + System.getProperty("servers", "auto"),
                "-Dseed=" + System.getProperty("seed", "0"),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-cp",
                classPath(),
                PlayTests.class.getName(),
                report.toString()));
        for (String test : tests) {
            command.add(className(test));
        }
        Process process = new ProcessBuilder(command)
                .directory(module.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        List<Result> results = new ArrayList<>();
        if (Files.exists(report)) {
            Files.readAllLines(report).forEach(line -> results.add(Result.parse(line)));
        }
        if (!ended) {
            results.add(new Result("the run", Result.Kind.BROKEN, "did not end within " + MINUTES + " minutes"));
        } else if (results.isEmpty()) {
            results.add(new Result("the run", Result.Kind.BROKEN, Mutant.read(directory.resolve("output"))));
        }
        return results;
    }

    private String className(String test) throws IOException {
        int hash = test.indexOf('#');
        String simpleName = hash < 0 ? test : test.substring(0, hash);
        Path tests = module.resolve("target/test-classes");
        try (Stream<Path> files = Files.walk(tests)) {
            Path found = files.filter(file -> file.endsWith(simpleName + ".class"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("There is no test " + simpleName));
            String path = tests.relativize(found).toString();
            return path.substring(0, path.length() - ".class".length()).replace(File.separatorChar, '.')
                    + (hash < 0 ? "" : test.substring(hash));
        }
    }

    private String classPath() {
        return String.join(
                File.pathSeparator,
                module.resolve("target/test-classes").toString(),
                classes.toString(),
                Mutant.read(module.resolve("target/test-classpath")).strip(),
                System.getProperty("java.class.path"));
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
