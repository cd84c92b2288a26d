package io.github.fencedwrite.migrations.internal;

import io.github.fencedwrite.migrations.FencingMigrationException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an installer finds in a database, compared with the scripts of this library. Reads the catalog and the history, and
 * that only after {@link Strangers} has found nobody else's.
 */
final class Condition {

    private static final Pattern CREATED =
            Pattern.compile("(?m)^CREATE (?:OR REPLACE FUNCTION|OR REPLACE VIEW|TABLE IF NOT EXISTS) fencing\\.(\\w+)");

    private static final String PARTS = """
            SELECT proname FROM pg_proc WHERE pronamespace = to_regnamespace('fencing')
            UNION SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace('fencing')
            """;
    private static final String VERSION = """
            SELECT coalesce((SELECT substring(pg_get_function_sqlbody(oid), 'RETURN ([0-9]+)')::integer FROM pg_proc
                WHERE oid = to_regprocedure('fencing.version()')), 0)
            """;

    private final History history;
    private final Set<String> present;
    private final int version;

    private Condition(History history, Set<String> present, int version) {
        this.history = history;
        this.present = present;
        this.version = version;
    }

    /** For a role that may go on to write. */
    static Condition toInstall(Connection connection) throws SQLException {
        Strangers.refuseToInstall(connection);
        return read(connection);
    }

    /** For a role that only looks. */
    static Condition toVerify(Connection connection) throws SQLException {
        Strangers.refuseToVerify(connection);
        return read(connection);
    }

    private static Condition read(Connection connection) throws SQLException {
        return new Condition(
                History.read(connection),
                new TreeSet<>(column(connection, PARTS)),
                Integer.parseInt(column(connection, VERSION).get(0)));
    }

    private static List<String> column(Connection connection, String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }

    int version() {
        return version;
    }

    boolean isUpToDate() {
        return pending().isEmpty()
                && history.unknown().isEmpty()
                && history.failed() == null
                && altered().isEmpty()
                && missing(Script.ALL).isEmpty();
    }

    /** Scripts that are not on record as they are now; versioned ones must not change and are found by name alone. */
    List<Script> pending() {
        return Script.ALL.stream().filter(script -> !isOnRecord(script)).toList();
    }

    private boolean isOnRecord(Script script) {
        History.Entry entry = history.of(script);
        return entry != null && (script.version() != null || entry.checksum() == script.checksum());
    }

    void refuseUnknown() {
        if (version > Script.VERSION || !history.unknown().isEmpty()) {
            throw new FencingMigrationException(
                    "The schema fencing is of version " + version + ", this library knows version " + Script.VERSION
                            + " and would take it back. Use the fenced-write library that installed it, or a newer one."
                            + " Nothing was changed.",
                    "WF111");
        }
        History.Entry failed = history.failed();
        if (failed != null) {
            throw new FencingMigrationException(
                    "Flyway has recorded that " + failed.script()
                            + " failed. Run Flyway's repair on the schema fencing," + " then install again.",
                    "WF112");
        }
        List<String> altered = altered();
        if (!altered.isEmpty()) {
            throw new FencingMigrationException(
                    "On record in fencing.flyway_schema_history with another checksum than in this library: "
                            + String.join(", ", altered)
                            + ". Released scripts never change: use a released version of fenced-write.",
                    "WF112");
        }
    }

    private List<String> altered() {
        return Script.ALL.stream()
                .filter(script -> script.version() != null)
                .filter(script -> {
                    History.Entry entry = history.of(script);
                    return entry != null && entry.checksum() != script.checksum();
                })
                .map(Script::file)
                .toList();
    }

    /** Refuses if something is gone that was created by a script on record. */
    void refuseMissing() {
        List<Script> recorded = Script.ALL.stream().filter(this::isOnRecord).toList();
        List<String> missing = missing(recorded);
        if (!missing.isEmpty()) {
            throw new FencingMigrationException(
                    "Missing in the schema fencing: " + String.join(", ", missing) + ". Somebody has dropped it. Run"
                            + " FencingMigrations.on(dataSource).repair(), or the plain SQL file, as the owner of the schema;"
                            + " data is kept.",
                    "WF112");
        }
    }

    void refusePending() {
        List<String> pending = pending().stream().map(Script::file).toList();
        if (!pending.isEmpty()) {
            throw new FencingMigrationException(
                    "The schema fencing " + (history.isEmpty() ? "is not installed" : "is of an older version")
                            + "; to be run: " + String.join(", ", pending)
                            + ". Call FencingMigrations.on(dataSource).install() as a role that may create tables, or run the"
                            + " plain SQL file.",
                    "WF112");
        }
    }

    private List<String> missing(List<Script> scripts) {
        List<String> missing = new ArrayList<>();
        for (Script script : scripts) {
            Matcher created = CREATED.matcher(script.sql());
            while (created.find()) {
                if (!present.contains(created.group(1)) && !missing.contains(created.group(1))) {
                    missing.add(created.group(1));
                }
            }
        }
        return missing;
    }
}
