package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.sql.DataSource;
import javax.tools.ToolProvider;

/**
 * An earlier or a later release of this library in the same JVM, in a class loader of its own: today's code with functions
 * of another version, one of which says so, and with one versioned script more for each version after the first.
 */
final class OtherVersion {

    private static final String PACKAGE = "io.github.fencedwrite.migrations.";
    private static final String FOLDER = PACKAGE.replace('.', '/');
    private static final String FUNCTIONS = FOLDER + "sql/R__fencing_functions.sql";

    private final Class<?> library;

    private OtherVersion(Class<?> library) {
        this.library = library;
    }

    static OtherVersion of(int version) {
        try {
            Path classes = Files.createTempDirectory("fenced-write-version-");
            Path file = classes.resolve(FUNCTIONS);
            Files.createDirectories(file.getParent());
            Files.writeString(file, functions(version));
            for (int later = 2; later <= version; later++) {
                Files.writeString(
                        file.resolveSibling(later(later)),
                        "CREATE TABLE IF NOT EXISTS fencing.notes_of_" + later + " (note text);\n");
            }
            compileListOfScripts(version, classes);
            deleteOnExit(classes);
            URL[] path = {
                classes.toUri().toURL(),
                FencingMigrations.class.getProtectionDomain().getCodeSource().getLocation()
            };
            return new OtherVersion(
                    new URLClassLoader(path, new WithoutThisLibrary()).loadClass(FencingMigrations.class.getName()));
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The name of the script that comes with a later version. */
    static String later(int version) {
        return "V" + version + "__notes.sql";
    }

    /** What the authors of a later release do as well: they add a line to the list. */
    private static void compileListOfScripts(int version, Path classes) throws IOException {
        StringBuilder more = new StringBuilder();
        for (int later = 2; later <= version; later++) {
            more.append("load(\"").append(later(later)).append("\"), ");
        }
        String lastOfTheList = "load(\"R__";
        Path source = classes.resolve("Script.java");
        String today = Files.readString(Path.of("src/main/java", FOLDER, "internal/Script.java"));
        assertThat(today).containsOnlyOnce(lastOfTheList);
        Files.writeString(source, today.replace(lastOfTheList, more + lastOfTheList));
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-cp", classPath, "-d", classes.toString(), source.toString());
        assertThat(failed).isZero();
    }

    /** Parents come first, since files are deleted the other way round. */
    private static void deleteOnExit(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            files.forEach(file -> file.toFile().deleteOnExit());
        }
    }

    private static String functions(int version) throws IOException {
        try (var in = OtherVersion.class.getResourceAsStream("/" + FUNCTIONS)) {
            return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
                            .replaceFirst("(mine +CONSTANT integer := )\\d+", "$1" + version)
                            .replaceFirst("(FUNCTION fencing\\.version\\(\\)[^;]+?RETURN )\\d+", "$1" + version)
                    + "CREATE OR REPLACE FUNCTION fencing.since_" + version
                    + "() RETURNS integer LANGUAGE sql RETURN " + version + ";\n";
        }
    }

    void install(DataSource dataSource) {
        call("install", dataSource);
    }

    void verify(DataSource dataSource) {
        call("verify", dataSource);
    }

    private void call(String method, DataSource dataSource) {
        try {
            Object on = library.getMethod("on", DataSource.class).invoke(null, dataSource);
            library.getMethod(method).invoke(on);
        } catch (InvocationTargetException e) {
            throw translated(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RuntimeException translated(Throwable failure) {
        try {
            String state = (String) failure.getClass().getMethod("sqlState").invoke(failure);
            return new FencingMigrationException(failure.getMessage(), state);
        } catch (ReflectiveOperationException anotherKind) {
            return new IllegalStateException(failure);
        }
    }

    /** Everything but this library, so that its classes and scripts are not shared. */
    private static final class WithoutThisLibrary extends ClassLoader {

        WithoutThisLibrary() {
            super(OtherVersion.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith(PACKAGE)) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }

        @Override
        public URL getResource(String name) {
            return name.startsWith(PACKAGE.replace('.', '/')) ? null : super.getResource(name);
        }
    }
}
