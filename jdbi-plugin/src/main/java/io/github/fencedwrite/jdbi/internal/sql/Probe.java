package io.github.fencedwrite.jdbi.internal.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The question why a statement wrote fewer rows than it meant: which tokens do the rows carry that its original condition hits?
 * See {@link Guarded#PROBE_COLUMNS} for what is answered.
 *
 * @param column the token column, as it must be written
 * @param prefix offset at which the statement proper begins, behind its WITH
 */
record Probe(String sql, List<Lexeme> tokens, Cursor cursor, Target target, String column, int prefix) {

    /** Asks about the rows of the target that the condition at token {@code where} hits, joined with the items before it. */
    Template rows(int items, int where) {
        Template.Builder probe = count(target.qualifier() + "." + column).source(target.from(), target.to());
        if (items < where) {
            items(probe.text(", "), items, where);
        }
        if (cursor.token(where).isWord("WHERE")) {
            condition(probe.text(" WHERE ("), where).text(")");
        }
        return probe.build();
    }

    /**
     * As {@link #rows}, with the rows locked by {@code FOR strength}: each once, however many rows of the items it is joined
     * with.
     */
    Template locked(int items, int where, String strength) {
        Template.Builder probe = count("fencing_locked__.token")
                .text("(SELECT " + target.qualifier() + "." + column + " AS token FROM ")
                .source(target.from(), target.to());
        boolean conditional = cursor.token(where).isWord("WHERE");
        if (items < where) {
            items(probe.text(" WHERE EXISTS (SELECT FROM "), items, where);
        }
        if (conditional) {
            condition(probe.text(" WHERE ("), where).text(")");
        }
        if (items < where) {
            probe.text("\n)");
        }
        return probe.text("\nFOR " + strength + " OF " + target.qualifier() + ") AS fencing_locked__")
                .build();
    }

    private Template.Builder items(Template.Builder probe, int items, int where) {
        return probe.source(cursor.token(items).start(), cursor.token(where - 1).end());
    }

    private Template.Builder condition(Template.Builder probe, int where) {
        int end = cursor.clause(where, "RETURNING", "ORDER") - 1;
        return probe.source(cursor.token(where).end(), cursor.token(end).end()).text("\n");
    }

    /** Asks about the rows that have the same key as those of an INSERT; null if the text does not tell their keys. */
    @Nullable Template key(Insert insert, List<String> key) {
        Template.Builder probe = count(target.qualifier() + "." + column)
                .source(target.from(), target.to())
                .text(" WHERE ");
        for (int row = 0; row < insert.rows().size(); row++) {
            probe.text(row == 0 ? "(" : " OR (");
            for (int i = 0; i < key.size(); i++) {
                Insert.Range value = insert.value(row, key.get(i));
                if (value == null) {
                    return null;
                }
                probe.text((i == 0 ? "" : " AND ") + target.qualifier() + "." + insert.columnText(key.get(i)) + " = (")
                        .source(value.from(), value.to())
                        .text("\n)");
            }
            probe.text(")");
        }
        return key.isEmpty() ? null : probe.build();
    }

    private Template.Builder count(String token) {
        return new Template.Builder(sql, tokens)
                .source(0, prefix)
                .text("SELECT count(*), count(*) FILTER (WHERE " + token + " > ")
                .token()
                .text("), count(*) FILTER (WHERE " + token + " = ")
                .token()
                .text("), count(*) - count(" + token + "), max(" + token + ") FROM ");
    }
}
