package io.github.fencedwrite.jdbi.internal.sqlobject;

import io.github.fencedwrite.jdbi.WriteOutcome;
import io.github.fencedwrite.jdbi.internal.statement.FencedCall;
import io.github.fencedwrite.jdbi.internal.statement.FencingConfig;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.extension.AttachedExtensionHandler;
import org.jdbi.v3.core.extension.ExtensionHandler;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.sqlobject.SingleValue;
import org.jdbi.v3.sqlobject.SqlObjects;
import org.jdbi.v3.sqlobject.statement.BatchChunkSize;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jspecify.annotations.Nullable;

/** Runs a guarded batch and returns the outcome of each row. */
record BatchOutcomeHandler(Class<?> type, Method method, MethodCustomizers customizers) implements ExtensionHandler {

    @Override
    public AttachedExtensionHandler attachTo(ConfigRegistry config, Object target) {
        String sql = config.get(SqlObjects.class).getSqlLocator().locate(type, method, config);
        boolean transactional = method.getAnnotation(SqlBatch.class).transactional();
        return (handles, args) -> {
            Handle handle = handles.getHandle();
            int size = chunkSize(args);
            List<Iterator<?>> columns = columns(args);
            List<WriteOutcome> outcomes = new ArrayList<>();
            while (hasNext(columns)) {
                // taken from the iterators once, whatever repeats the transaction
                List<@Nullable Object[]> rows = next(args, columns, size);
                outcomes.addAll(transactional ? handle.inTransaction(h -> run(h, sql, rows)) : run(handle, sql, rows));
            }
            return List.copyOf(outcomes);
        };
    }

    /** The arguments of the next {@code size} rows, or of those that are left. */
    private static List<@Nullable Object[]> next(@Nullable Object[] args, List<Iterator<?>> columns, int size) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        while (rows.size() < size && hasNext(columns)) {
            @Nullable Object[] row = args.clone();
            for (int i = 0; i < row.length; i++) {
                row[i] = columns.get(i) == null ? args[i] : columns.get(i).next();
            }
            rows.add(row);
        }
        return rows;
    }

    private List<WriteOutcome> run(Handle handle, String sql, List<@Nullable Object[]> rows) {
        try (PreparedBatch batch = handle.prepareBatch(sql)) {
            for (@Nullable Object[] row : rows) {
                customizers.apply(batch, row);
                batch.add();
            }
            FencedCall call =
                    Objects.requireNonNull(batch.getConfig(FencingConfig.class).call());
            call.keepSilent();
            batch.execute();
            return call.outcomes();
        }
    }

    private static boolean hasNext(List<Iterator<?>> columns) {
        return columns.stream().filter(Objects::nonNull).allMatch(Iterator::hasNext);
    }

    /** How many rows make a transaction; looked for where Jdbi looks: at the parameters, the method, the type. */
    private int chunkSize(@Nullable Object[] args) {
        Parameter[] parameters = method.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i].isAnnotationPresent(BatchChunkSize.class)) {
                return positive(args[i]);
            }
        }
        BatchChunkSize fixed = method.getAnnotation(BatchChunkSize.class);
        fixed = fixed == null ? type.getAnnotation(BatchChunkSize.class) : fixed;
        return fixed == null ? Integer.MAX_VALUE : positive(fixed.value());
    }

    private static int positive(@Nullable Object size) {
        if (!(size instanceof Integer rows) || rows < 1) {
            throw new IllegalArgumentException(
                    "A chunk has at least one row, but @BatchChunkSize is " + size + ". Pass a positive number.");
        }
        return rows;
    }

    /** For each argument what runs through its elements; null for one that is the same in each row. */
    private List<Iterator<?>> columns(@Nullable Object[] args) {
        Parameter[] parameters = method.getParameters();
        List<Iterator<?>> columns = IntStream.range(0, args.length)
                .<Iterator<?>>mapToObj(i -> elements(parameters[i], args[i]))
                .collect(java.util.stream.Collectors.toList());
        if (columns.stream().allMatch(Objects::isNull)) {
            throw new IllegalArgumentException("A batch needs at least one argument with several elements.");
        }
        return Collections.unmodifiableList(columns);
    }

    private static @Nullable Iterator<?> elements(Parameter parameter, @Nullable Object argument) {
        if (parameter.isAnnotationPresent(SingleValue.class)) {
            return null;
        } else if (argument instanceof Iterable<?> many) {
            return many.iterator();
        } else if (argument instanceof Iterator<?> many) {
            return many;
        } else if (argument != null && argument.getClass().isArray()) {
            return IntStream.range(0, Array.getLength(argument))
                    .mapToObj(i -> Array.get(argument, i))
                    .iterator();
        }
        return null;
    }
}
