package io.github.fencedwrite.migrations.internal;

/** The plain SQL file, made from the very scripts that the other ways run. */
public final class PlainSql {

    private PlainSql() {}

    /** The text of the file. */
    public static String text() {
        StringBuilder text = new StringBuilder("""
                -- fenced-write: the schema "fencing", whole. Can be run again at any time; brings older versions up to date.
                -- Run it in one transaction:  psql -1 -v ON_ERROR_STOP=1 -f fencing.sql

                """);
        for (Script script : Script.ALL) {
            text.append(script.sql()).append('\n');
        }
        text.append("\n-- The history, in Flyway's format, so that any other way to install finds everything done.\n");
        text.append(path("'" + SearchPath.OWN + "'"));
        text.append(History.CREATE);
        for (Script script : Script.ALL) {
            text.append(History.recording(script));
        }
        text.append(path("pg_catalog.current_setting('fencing.outer_search_path')"));
        return text.toString();
    }

    /** The scripts have kept the outer path in a setting of the transaction. */
    private static String path(String value) {
        return "SELECT pg_catalog.set_config('search_path', " + value + ", true);\n";
    }
}
