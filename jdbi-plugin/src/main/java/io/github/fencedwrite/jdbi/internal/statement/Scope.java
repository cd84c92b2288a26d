package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.jdbi.StatementRefusedException;
import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import io.github.fencedwrite.jdbi.internal.sql.WrittenTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which tables a guarding scope guards, and how.
 *
 * @param token what its statements carry
 * @param tables in the order in which they were named
 */
public record Scope(PresentedToken token, List<Table> tables) {

    /**
     * A table of a scope.
     *
     * @param name in parts
     * @param fence null if the table is not guarded
     */
    public record Table(List<String> name, @Nullable GuardSpec fence) {}

    /** A scope without tables. */
    public static Scope of(PresentedToken token) {
        return new Scope(token, List.of());
    }

    /** The same with one more table. */
    public Scope withTable(String name, @Nullable GuardSpec fence) {
        List<Table> more = new ArrayList<>(tables);
        more.add(new Table(WrittenTable.name(name), fence));
        return new Scope(token, List.copyOf(more));
    }

    /**
     * What to do with a statement.
     *
     * @param inPlace whether rows that it reads could be written in place, which no statement would show
     * @return a call that guards it; null if it may run as it is
     * @throws StatementRefusedException if it must not run
     */
    @Nullable FencedCall callFor(String sql, boolean inPlace) {
        WrittenTable dml = WrittenTable.of(sql);
        if (dml.target().isEmpty()) {
            if (inPlace) {
                throw new StatementRefusedException(
                        sql,
                        0,
                        "rows that are updated in place (concurrentUpdatable) cannot be guarded",
                        "Read them, and write with createUpdate");
            }
            return null;
        }
        for (Table table : tables) {
            if (table.fence != null && dml.mayBe(table.name)) {
                FencedCall call = new FencedCall(table.fence, false);
                call.present(token);
                return call;
            }
        }
        for (Table table : tables) {
            if (table.fence == null && dml.mayBe(table.name)) {
                return null;
            }
        }
        throw new StatementRefusedException(
                sql,
                0,
                "table " + String.join(".", dml.target()) + " is not listed in this guarding scope",
                "List it with table(…), or say with unfenced(…) that it needs no guard");
    }
}
