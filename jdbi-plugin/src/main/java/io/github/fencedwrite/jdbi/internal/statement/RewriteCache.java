package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.jdbi.internal.sql.Guard;
import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import io.github.fencedwrite.jdbi.internal.sql.Guarded;
import io.github.fencedwrite.jdbi.internal.sql.ParameterStyle;
import io.github.fencedwrite.jdbi.internal.sql.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.statement.ParsedParameters;
import org.jdbi.v3.core.statement.ParsedSql;

/**
 * Remembers rewritten statements, so that a statement is scanned once. Bounded: an application that makes up its SQL has its
 * statements scanned again, instead of filling the memory. Safe for use by many threads.
 */
public final class RewriteCache {

    private static final int LIMIT = 1_000;

    private final Map<GuardSpec, Map<String, Entry>> named = new ConcurrentHashMap<>();
    private final Map<GuardSpec, Map<String, Entry>> positional = new ConcurrentHashMap<>();

    /**
     * A rewritten statement, rendered.
     *
     * @param original what the application wrote
     * @param dialect how its parameters are written
     * @param guarded the statement and how its result is read
     * @param rendered its text for JDBC
     * @param forJdbi the same as Jdbi shall see it: with the user's parameters only
     */
    public record Entry(
            String original, ParameterStyle dialect, Guarded guarded, Template.Rendered rendered, ParsedSql forJdbi) {

        static Entry of(String original, ParameterStyle dialect, Guarded guarded) {
            Template.Rendered rendered = guarded.statement().forJdbc();
            return new Entry(original, dialect, guarded, rendered, ParsedSql.of(rendered.sql(), parameters(rendered)));
        }

        private static ParsedParameters parameters(Template.Rendered rendered) {
            List<String> names = new ArrayList<>();
            for (Template.Slot slot : rendered.slots()) {
                if (!slot.isToken()) {
                    names.add(slot.name());
                }
            }
            return names.contains("?") ? ParsedParameters.positional(names.size()) : ParsedParameters.named(names);
        }
    }

    /** The guarded form of {@code sql}. */
    Entry get(String sql, ParameterStyle dialect, GuardSpec fence) {
        Map<GuardSpec, Map<String, Entry>> entries = dialect == ParameterStyle.JDBI ? named : positional;
        Map<String, Entry> bySql = entries.get(fence);
        if (bySql == null) {
            bySql = entries.computeIfAbsent(fence, f -> new ConcurrentHashMap<>());
        }
        Entry entry = bySql.get(sql);
        if (entry == null) {
            entry = Entry.of(sql, dialect, Guard.rewrite(sql, dialect, fence));
            if (bySql.size() >= LIMIT) {
                bySql.clear();
            }
            bySql.put(sql, entry);
        }
        return entry;
    }
}
