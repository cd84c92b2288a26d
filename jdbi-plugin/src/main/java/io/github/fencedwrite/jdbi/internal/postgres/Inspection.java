package io.github.fencedwrite.jdbi.internal.postgres;

import io.github.fencedwrite.jdbi.TableFinding;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/** Looks at tables before the first write: with the function of the migrations where it is installed, else on its own. */
public final class Inspection {

    private static final String OWN =
            """
            WITH t AS (SELECT to_regclass(:table) AS oid),
            c AS (SELECT a.* FROM pg_attribute a JOIN t ON a.attrelid = t.oid WHERE a.attname = :column AND NOT a.attisdropped)
            SELECT 'error', 'table_missing', 'there is no such table', 'Create it, or qualify its name'
            FROM t WHERE oid IS NULL
            UNION ALL
            SELECT 'error', 'column_missing', 'there is no column ' || :column,
                'ALTER TABLE ' || :table || ' ADD COLUMN ' || quote_ident(:column) || ' bigint NOT NULL DEFAULT 0'
            FROM t WHERE oid IS NOT NULL AND NOT EXISTS (SELECT FROM c)
            UNION ALL
            SELECT 'error', 'column_type', 'the column is of type ' || format_type(atttypid, NULL), 'Use another column, of type bigint'
            FROM c WHERE atttypid <> 'bigint'::regtype
            UNION ALL
            SELECT 'error', 'column_nullable', 'the column allows NULLs, which no guard ever passes',
                'ALTER TABLE ' || :table || ' ALTER COLUMN ' || quote_ident(:column) || ' SET NOT NULL'
            FROM c WHERE NOT attnotnull
            UNION ALL
            SELECT 'warning', 'trigger', 'a row trigger before writes: ' || g.tgname, 'Make sure that it does not reset the token'
            FROM pg_trigger g JOIN t ON g.tgrelid = t.oid WHERE NOT g.tgisinternal AND (g.tgtype & 3) = 3
            UNION ALL
            SELECT 'warning', 'rule', 'rule ' || r.rulename || ' rewrites statements', 'Replace it by a trigger'
            FROM pg_rewrite r JOIN t ON r.ev_class = t.oid WHERE r.ev_type <> '1'
            UNION ALL
            SELECT 'warning', 'index', 'index ' || i.indexrelid::regclass || ' contains the column: no update can be HOT',
                'DROP INDEX CONCURRENTLY ' || i.indexrelid::regclass
            FROM pg_index i JOIN c ON i.indrelid = c.attrelid AND c.attnum = ANY (i.indkey)
            UNION ALL
            SELECT 'info', 'row_security', 'row level security hides rows: a stale write may look like a missing row',
                'Let the policies show what the writer may claim'
            FROM pg_class p JOIN t ON p.oid = t.oid WHERE p.relrowsecurity
            """;

    private Inspection() {}

    /** What is to be known about {@code table}. */
    public static List<TableFinding> of(Handle handle, String table, String column) {
        boolean installed = handle.createQuery("SELECT to_regprocedure('fencing.inspect(text, text)') IS NOT NULL"
                        + " AND to_regclass(:table) IS NOT NULL")
                .bind("table", table)
                .mapTo(Boolean.class)
                .one();
        String sql = installed ? "SELECT severity, code, finding, fix FROM fencing.inspect(:table, :column)" : OWN;
        List<TableFinding> findings = handle.createQuery(sql)
                .bind("table", table)
                .bind("column", column)
                .map((row, ctx) ->
                        new TableFinding(row.getString(1), table, row.getString(2), row.getString(3), row.getString(4)))
                .list();
        return Stream.of(findings, strings(handle, table), socket(handle, table))
                .flatMap(List::stream)
                .toList();
    }

    /** The scanner reads '…' as the standard has it. */
    private static List<TableFinding> strings(Handle handle, String table) {
        String setting = handle.createQuery("SHOW standard_conforming_strings")
                .mapTo(String.class)
                .one();
        return setting.equals("on")
                ? List.of()
                : List.of(new TableFinding(
                        "error",
                        table,
                        "strings",
                        "standard_conforming_strings is off, so statements are read "
                                + "otherwise than they are guarded",
                        "SET standard_conforming_strings = on for this application"));
    }

    /** Without a limit the driver waits for a server that has stopped as long as the network lets it. */
    private static List<TableFinding> socket(Handle handle, String table) {
        try {
            if (handle.getConnection().getNetworkTimeout() > 0) {
                return List.of();
            }
        } catch (SQLException | RuntimeException | LinkageError e) {
            return List.of(); // a driver that does not tell
        }
        return List.of(new TableFinding(
                "warning",
                table,
                "socket_timeout",
                "the driver waits for an answer without limit, also for that to a commit of a server that has stopped",
                "socketTimeout=30 in the JDBC URL, in seconds and longer than the longest statement"));
    }
}
