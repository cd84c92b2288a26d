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
import java.util.concurrent.atomic.AtomicLong;
import org.jdbi.v3.core.statement.ParsedParameters;
import org.jdbi.v3.core.statement.ParsedSql;
import org.jspecify.annotations.Nullable;

/**
 * Remembers rewritten statements, so that a statement is scanned once. Bounded by the length of their texts, since a list of
 * changing length makes a new text each time, and long ones: when the younger half is full it becomes the older one, and what
 * nobody has asked for since is forgotten. Safe for use by many threads.
 */
public final class RewriteCache {

    /** Characters of the original texts in one half. An entry takes about 40 bytes for each. */
    private static final long HALF = 500_000;

    private volatile Generation younger = new Generation();
    private volatile Generation older = new Generation();

    /**
     * A rewritten statement, rendered.
     *
     * @param original what the application wrote
     * @param style how its parameters are written
     * @param guarded the statement and how its result is read
     * @param rendered its text for JDBC
     * @param forJdbi the same as Jdbi shall see it: with the user's parameters only
     */
    public record Entry(
            String original, ParameterStyle style, Guarded guarded, Template.Rendered rendered, ParsedSql forJdbi) {

        static Entry of(String original, ParameterStyle style, Guarded guarded) {
            Template.Rendered rendered = guarded.statement().forJdbc();
            return new Entry(original, style, guarded, rendered, ParsedSql.of(rendered.sql(), parameters(rendered)));
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

    /** Entries by what makes them; two levels of maps, so that nothing has to be made to look one up. */
    private static final class Generation {

        private final Map<GuardSpec, Map<String, Entry>> named = new ConcurrentHashMap<>();
        private final Map<GuardSpec, Map<String, Entry>> positional = new ConcurrentHashMap<>();
        private final AtomicLong characters = new AtomicLong();

        @Nullable Entry get(String sql, ParameterStyle style, GuardSpec fence) {
            Map<String, Entry> bySql = (style == ParameterStyle.JDBI ? named : positional).get(fence);
            return bySql == null ? null : bySql.get(sql);
        }

        /** Whether there was room for it. */
        boolean put(Entry entry, GuardSpec fence) {
            if (characters.addAndGet(entry.original.length()) > HALF) {
                return false;
            }
            (entry.style == ParameterStyle.JDBI ? named : positional)
                    .computeIfAbsent(fence, f -> new ConcurrentHashMap<>())
                    .put(entry.original, entry);
            return true;
        }
    }

    /** The guarded form of {@code sql}. */
    Entry get(String sql, ParameterStyle style, GuardSpec fence) {
        Entry entry = younger.get(sql, style, fence);
        if (entry == null) {
            entry = older.get(sql, style, fence);
            if (entry == null) {
                entry = Entry.of(sql, style, Guard.rewrite(sql, style, fence));
            }
            keep(entry, fence);
        }
        return entry;
    }

    private void keep(Entry entry, GuardSpec fence) {
        if (entry.original.length() > HALF / 4) {
            return; // would drive out all others
        }
        Generation full = younger;
        if (!full.put(entry, fence)) {
            synchronized (this) {
                if (younger == full) {
                    older = full;
                    younger = new Generation();
                }
            }
            younger.put(entry, fence);
        }
    }
}
