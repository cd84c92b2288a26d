package io.github.fencedwrite.examples.chaos.history;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that is known at the end of a run.
 *
 * @param writes in the order in which the trigger noted them, which is the true one for each row; those that filled the
 *     tables at first are by {@link #SETUP}
 * @param operations of all workers, in any order
 * @param end what the tables contain
 * @param books groups of tables whose values together never change, since every operation keeps their sum
 */
public record History(List<Write> writes, List<Operation> operations, Map<RowId, State> end, List<Set<String>> books) {

    /** The operation that filled the tables at first. */
    public static final String SETUP = "setup";
}
