package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import io.github.fencedwrite.jdbi.internal.statement.PresentedToken;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * The common guarded statements on one row, without SQL text. Begins with {@link Fencing#row}; not safe for use by many threads.
 *
 * <pre>
 * Fencing.row("inventory").key("sku", sku).set("stock", 42).update(handle, lease);
 * </pre>
 */
public final class RowWrite {

    private final String table;
    private final Map<String, @Nullable Object> keys = new LinkedHashMap<>();
    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
    private FenceMode mode = FenceMode.FIRST;
    private String column = GuardSpec.COLUMN;

    RowWrite(String table) {
        this.table = table;
    }

    /**
     * Adds a column of the key; all of them together must be unique.
     *
     * @param name as the database names it
     * @param value not null, since nothing equals NULL
     * @throws NullPointerException if {@code value} is null
     */
    public RowWrite key(String name, Object value) {
        if (value == null) {
            throw new NullPointerException("Key column " + name + " is null, and no row has that key.");
        }
        keys.put(name, value);
        return this;
    }

    /** Adds a column to be written. */
    public RowWrite set(String name, @Nullable Object value) {
        values.put(name, value);
        return this;
    }

    /** Sets what is expected of the row's token; {@link FenceMode#FIRST} unless set. */
    public RowWrite mode(FenceMode expected) {
        mode = expected;
        return this;
    }

    /** Sets the token column; {@code last_token} unless set. */
    public RowWrite column(String name) {
        column = name;
        return this;
    }

    /** Writes the row if it is there; stale and the like are returned. */
    public WriteOutcome update(Handle handle, FencingToken token) {
        return update(handle, PresentedToken.of(token));
    }

    /** As {@link #update(Handle, FencingToken)}, with the token of {@code lease}; messages then tell of the lease too. */
    public WriteOutcome update(Handle handle, Lease lease) {
        return update(handle, PresentedToken.of(lease));
    }

    private WriteOutcome update(Handle handle, PresentedToken token) {
        return run(handle, "UPDATE " + table + " SET " + assignments() + " WHERE " + condition(), token);
    }

    /**
     * Writes a new row; a key that is taken is an error of the database, unless it was taken under this or a newer token. In a
     * transaction a savepoint comes first, so that it can go on.
     */
    public WriteOutcome insert(Handle handle, FencingToken token) {
        return insert(handle, PresentedToken.of(token));
    }

    /** As {@link #insert(Handle, FencingToken)}, with the token of {@code lease}; messages then tell of the lease too. */
    public WriteOutcome insert(Handle handle, Lease lease) {
        return insert(handle, PresentedToken.of(lease));
    }

    private WriteOutcome insert(Handle handle, PresentedToken token) {
        return run(handle, insert(), token);
    }

    /** Writes the row, new or not; stale and the like are returned. */
    public WriteOutcome upsert(Handle handle, FencingToken token) {
        return upsert(handle, PresentedToken.of(token));
    }

    /** As {@link #upsert(Handle, FencingToken)}, with the token of {@code lease}; messages then tell of the lease too. */
    public WriteOutcome upsert(Handle handle, Lease lease) {
        return upsert(handle, PresentedToken.of(lease));
    }

    private WriteOutcome upsert(Handle handle, PresentedToken token) {
        require(keys, "key");
        require(values, "set");
        String sql = insert() + " ON CONFLICT (" + list(keys) + ") DO UPDATE SET "
                + values.keySet().stream()
                        .map(name -> quote(name) + " = EXCLUDED." + quote(name))
                        .collect(Collectors.joining(", "));
        return run(handle, sql, token);
    }

    /** Deletes the row. Its token goes with it: a stale holder may insert it anew, unless that is fenced by level 3. */
    public WriteOutcome delete(Handle handle, FencingToken token) {
        return delete(handle, PresentedToken.of(token));
    }

    /** As {@link #delete(Handle, FencingToken)}, with the token of {@code lease}; messages then tell of the lease too. */
    public WriteOutcome delete(Handle handle, Lease lease) {
        return delete(handle, PresentedToken.of(lease));
    }

    private WriteOutcome delete(Handle handle, PresentedToken token) {
        return run(handle, "DELETE FROM " + table + " WHERE " + condition(), token);
    }

    /** Claims the row and returns it whole, to be mapped; see {@link Claim}. */
    public Query claim(Handle handle, FencingToken token) {
        return claim(handle, PresentedToken.of(token));
    }

    /** As {@link #claim(Handle, FencingToken)}, with the token of {@code lease}; messages then tell of the lease too. */
    public Query claim(Handle handle, Lease lease) {
        return claim(handle, PresentedToken.of(lease));
    }

    private Query claim(Handle handle, PresentedToken token) {
        Query query = handle.createQuery("SELECT * FROM " + table + " WHERE " + condition());
        bind(query, "k", keys);
        return FencedQuery.claim(query, token).column(column).query();
    }

    private WriteOutcome run(Handle handle, String sql, PresentedToken token) {
        var update = handle.createUpdate(sql);
        bind(update, "k", keys);
        bind(update, "v", values);
        return new FencedUpdate(update, token).mode(mode).column(column).execute();
    }

    private static void bind(SqlStatement<?> statement, String prefix, Map<String, @Nullable Object> columns) {
        int i = 0;
        for (Object value : columns.values()) {
            statement.bind(prefix + i++, value);
        }
    }

    private String insert() {
        List<String> parameters = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            parameters.add(":k" + i);
        }
        for (int i = 0; i < values.size(); i++) {
            parameters.add(":v" + i);
        }
        String columns =
                keys.isEmpty() ? list(values) : values.isEmpty() ? list(keys) : list(keys) + ", " + list(values);
        return "INSERT INTO " + table + " (" + columns + ") VALUES (" + String.join(", ", parameters) + ")";
    }

    private String assignments() {
        require(values, "set");
        return equalities(values, ":v", ", ");
    }

    private String condition() {
        require(keys, "key");
        return equalities(keys, ":k", " AND ");
    }

    private static String equalities(Map<String, @Nullable Object> columns, String prefix, String between) {
        List<String> parts = new ArrayList<>();
        for (String name : columns.keySet()) {
            parts.add(quote(name) + " = " + prefix + parts.size());
        }
        return String.join(between, parts);
    }

    private static void require(Map<String, @Nullable Object> columns, String method) {
        if (columns.isEmpty()) {
            throw new IllegalStateException("No column was given with " + method + "(name, value).");
        }
    }

    private static String list(Map<String, @Nullable Object> columns) {
        return columns.keySet().stream().map(RowWrite::quote).collect(Collectors.joining(", "));
    }

    private static String quote(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
