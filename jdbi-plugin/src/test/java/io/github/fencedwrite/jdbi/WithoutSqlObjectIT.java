package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The module jdbi3-sqlobject is optional: without it on the class path everything else works. */
class WithoutSqlObjectIT {

    @Test
    void guardsFluentStatements() throws Exception {
        try (PostgresDatabase database = Postgres.shared().newDatabase();
                URLClassLoader without = classPathWithoutSqlObject()) {
            assertThatThrownBy(() -> without.loadClass("org.jdbi.v3.sqlobject.SqlObjects"))
                    .isInstanceOf(ClassNotFoundException.class);
            @SuppressWarnings("unchecked")
            Function<String, String> application =
                    (Function<String, String>) without.loadClass(Application.class.getName())
                            .getConstructor()
                            .newInstance();
            String url = database.jdbcUrl() + (database.jdbcUrl().contains("?") ? "&" : "?") + "user=" + database.user()
                    + "&password=" + database.password();

            assertThat(application.apply(url)).isEqualTo("Applied[rows=1] 5");
        }
    }

    private static URLClassLoader classPathWithoutSqlObject() throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!entry.contains("jdbi3-sqlobject")) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    /** What is loaded there. */
    public static final class Application implements Function<String, String> {

        @Override
        public String apply(String url) {
            PGSimpleDataSource dataSource = new PGSimpleDataSource();
            dataSource.setURL(url);
            Jdbi jdbi = Jdbi.create(dataSource).installPlugin(new FencingPlugin());
            return jdbi.withHandle(handle -> {
                handle.execute("CREATE TABLE t (id int, value int, last_token bigint NOT NULL DEFAULT 0)");
                handle.execute("INSERT INTO t VALUES (1, 0)");
                WriteOutcome outcome = Fencing.fence(
                                handle.createUpdate("UPDATE t SET value = 5 WHERE id = 1"), FencingToken.of(33))
                        .execute();
                return outcome + " "
                        + handle.select("SELECT value FROM t")
                                .mapTo(String.class)
                                .one();
            });
        }
    }
}
