package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.jdbi.StatementRefusedException;
import io.github.fencedwrite.jdbi.internal.sql.Guarded;
import io.github.fencedwrite.jdbi.internal.sql.Template;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement with a guard, seen by its user as one without: parameters are counted as in the original text, and the
 * token is set just before execution. It remembers what was set, for the probe and for messages, and what a batch answered,
 * which nobody else can get hold of.
 */
final class FencedStatement implements InvocationHandler {

    private final PreparedStatement real;
    private final FencedCall call;
    private final List<Template.Slot> slots = new ArrayList<>();
    private final int[] positions;
    private final List<@Nullable Setter[]> rows = new ArrayList<>(1);
    private @Nullable Setter[] current;
    private long @Nullable [] counts;
    private final int[] tokenPositions;
    private final List<TokenCounts> before = new ArrayList<>(0);
    private final Guarded guarded;
    private final boolean generatedKeys;
    private boolean refused;
    private long returned = -1;

    @SuppressWarnings("ArrayRecordComponent") // never compared, and never seen outside
    private record Setter(Method method, Object[] args) {}

    /**
     * Wraps a statement.
     *
     * @param generatedKeys whether it was prepared to answer with generated keys
     */
    FencedStatement(PreparedStatement real, FencedCall call, boolean generatedKeys) {
        this.real = real;
        this.call = call;
        this.generatedKeys = generatedKeys;
        RewriteCache.Entry entry = Objects.requireNonNull(call.entry());
        this.guarded = entry.guarded();
        List<Template.Slot> allSlots = entry.rendered().slots();
        int[] user = new int[allSlots.size()];
        int[] token = new int[allSlots.size()];
        int users = 0;
        int tokens = 0;
        for (int i = 0; i < allSlots.size(); i++) {
            if (allSlots.get(i).isToken()) {
                token[tokens++] = i + 1;
            } else {
                slots.add(allSlots.get(i));
                user[users++] = i + 1;
            }
        }
        this.positions = Arrays.copyOf(user, users);
        this.tokenPositions = Arrays.copyOf(token, tokens);
        this.current = new @Nullable Setter[users];
    }

    PreparedStatement asStatement() {
        return (PreparedStatement) Proxy.newProxyInstance(
                PreparedStatement.class.getClassLoader(), new Class<?>[] {PreparedStatement.class}, this);
    }

    PreparedStatement real() {
        return real;
    }

    /** The counts of the last batch, null if none was executed. */
    long @Nullable [] counts() {
        return counts;
    }

    /** How many rows were added to the batch so far. */
    int batchSize() {
        return rows.size();
    }

    /** Which tokens were there before row {@code row} (from 0) of a batch ran, or the statement itself; null if nobody asked. */
    @Nullable TokenCounts before(int row) {
        return row < before.size() ? before.get(row) : null;
    }

    /**
     * How many rows the execution that has just ended has written. Rows that it returns are counted, since the driver then gives
     * no number.
     */
    long count() throws SQLException {
        if (!guarded.returning() || generatedKeys) {
            return real.getLargeUpdateCount();
        }
        ResultSet answer = real.getResultSet();
        if (answer == null) {
            // placed by hand: a part of WITH returns rows, the statement itself does not
            return real.getLargeUpdateCount();
        }
        answer.last();
        returned = answer.getRow();
        answer.beforeFirst();
        return returned;
    }

    /**
     * Whether the rows of a batch are executed one by one: those that return rows, whose counts the driver does not give in a
     * batch, and those that mean several rows each, which must be counted after the one before has run.
     */
    private boolean isStepwise() {
        return guarded.before() != null || (guarded.returning() && !generatedKeys);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) throws Throwable {
        if (method.getDeclaringClass() == PreparedStatement.class) {
            if (args != null && args.length >= 2 && args[0] instanceof Integer position) {
                return set(method, args, position);
            }
            beforeExecution(method.getName());
            if (method.getName().equals("execute")) {
                return execute();
            } else if (method.getName().equals("addBatch") && isStepwise()) {
                return null;
            }
        } else if ((refused || returned >= 0) && method.getName().endsWith("UpdateCount")) {
            long count = refused ? 0 : returned;
            return method.getReturnType() == int.class ? (Object) (int) count : (Object) count;
        } else if ((method.getName().startsWith("execute") && args != null)
                || method.getName().equals("addBatch")) {
            throw new SQLException("This statement is guarded; text that was not rewritten cannot be run with it.");
        } else if (method.getName().endsWith("MaxRows") && args != null && ((Number) args[0]).longValue() > 0) {
            refuseLimit();
        } else if (method.getName().equals("executeBatch") || method.getName().equals("executeLargeBatch")) {
            if (isStepwise()) {
                counts = executeStepwise();
                return method.getReturnType() == int[].class
                        ? Arrays.stream(counts).mapToInt(Math::toIntExact).toArray()
                        : counts;
            }
            Object result = call(method, args);
            counts = result instanceof int[] ints
                    ? Arrays.stream(ints).asLongStream().toArray()
                    : (long[]) result;
            return result;
        }
        return call(method, args);
    }

    private void refuseLimit() {
        if (call.returnsRows()) {
            throw new StatementRefusedException(
                    Objects.requireNonNull(call.entry()).original(),
                    0,
                    "a limit of rows (setMaxRows) would hide how many were written",
                    "Leave it out: a statement for one row returns one row at most, any other is read as far as needed");
        }
    }

    private @Nullable Object set(Method method, Object[] args, int position) throws Throwable {
        if (position < 1 || position > positions.length) {
            throw new SQLException(
                    "There is no parameter " + position + "; the statement has " + positions.length + ".");
        }
        Object[] moved = args.clone();
        moved[0] = positions[position - 1];
        current[position - 1] = new Setter(method, moved);
        return call(method, moved);
    }

    private void beforeExecution(String method) throws SQLException {
        if (method.equals("clearParameters")) {
            current = new @Nullable Setter[positions.length];
        } else if (method.equals("addBatch") || method.startsWith("execute")) {
            long token = call.tokenToWrite(rows.size()).value();
            for (int position : tokenPositions) {
                real.setLong(position, token);
            }
            rows.add(current.clone());
        }
    }

    private boolean execute() throws SQLException {
        if (call.returnsRows()) {
            // they are counted before anyone reads them, which the driver cannot do behind a fetch size
            real.setFetchSize(0);
        }
        look(rows.size() - 1);
        InsertAttempt insert = InsertAttempt.begin(call, real.getConnection());
        boolean answersWithRows;
        try {
            answersWithRows = real.execute();
        } catch (SQLException e) {
            if (insert == null) {
                throw e;
            }
            insert.failed(e);
            refused = true;
            return false;
        }
        if (insert != null) {
            insert.succeeded();
        }
        return answersWithRows;
    }

    /** Locks the rows of a claim in the order that the user gave, and those that a statement for several rows means. */
    private void look(int row) throws SQLException {
        if (guarded.lock() != null) {
            Template.Rendered rendered = guarded.lock().forJdbc();
            try (PreparedStatement locking = real.getConnection().prepareStatement(rendered.sql())) {
                // behind a fetch size only the first rows would be read, and locked
                locking.setFetchSize(0);
                bind(locking, rendered.slots(), row);
                locking.execute();
            }
        }
        if (guarded.before() != null) {
            before.add(TokenCounts.ask(guarded.before(), this, row));
        }
    }

    private long[] executeStepwise() throws SQLException {
        if (generatedKeys) {
            throw new StatementRefusedException(
                    Objects.requireNonNull(call.entry()).original(),
                    0,
                    "a batch of statements for several rows cannot return generated keys",
                    "Run each on its own, or leave the keys out");
        }
        long[] written = new long[rows.size()];
        List<Template.Slot> all =
                Objects.requireNonNull(call.entry()).rendered().slots();
        for (int row = 0; row < written.length; row++) {
            bind(real, all, row);
            look(row);
            real.execute();
            written[row] = count();
        }
        return written;
    }

    private @Nullable Object call(Method method, Object @Nullable [] args) throws Throwable {
        try {
            return method.invoke(real, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Sets the user's parameters of row {@code row} and the token on another statement, by its slots. */
    void bind(PreparedStatement other, List<Template.Slot> otherSlots, int row) throws SQLException {
        for (int i = 0; i < otherSlots.size(); i++) {
            Template.Slot slot = otherSlots.get(i);
            if (slot.isToken()) {
                other.setLong(i + 1, call.token(row).value());
                continue;
            }
            Setter setter = find(slot, row);
            if (setter == null) {
                throw new SQLException("Parameter " + slot.name() + " was not set.");
            }
            Object[] args = setter.args.clone();
            args[0] = i + 1;
            try {
                setter.method.invoke(other, args);
            } catch (InvocationTargetException e) {
                throw e.getCause() instanceof SQLException sql ? sql : new SQLException(e.getCause());
            } catch (IllegalAccessException e) {
                throw new SQLException(e);
            }
        }
    }

    private @Nullable Setter find(Template.Slot slot, int row) {
        for (int i = 0; i < slots.size(); i++) {
            if (slots.get(i).ordinal() == slot.ordinal()) {
                return row < rows.size() ? rows.get(row)[i] : null;
            }
        }
        return null;
    }

    /**
     * The values of some of the user's parameters in row {@code row}, as {@code name=value, …}.
     *
     * @param ordinals which, from 1
     * @param names their names by position, where the text has none
     */
    String describe(List<Integer> ordinals, List<String> names, int row) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < slots.size() && row < rows.size(); i++) {
            int ordinal = slots.get(i).ordinal();
            Setter setter = rows.get(row)[i];
            if (ordinals.contains(ordinal) && setter != null) {
                String name = ordinal <= names.size()
                        ? names.get(ordinal - 1)
                        : slots.get(i).name();
                values.put(
                        name.equals("?") ? "?" + ordinal : name,
                        setter.method.getName().equals("setNull") ? "NULL" : String.valueOf(setter.args[1]));
            }
        }
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(", "));
    }
}
