package io.github.fencedwrite.jdbi.internal.sqlobject;

import io.github.fencedwrite.jdbi.Fenced;
import io.github.fencedwrite.jdbi.WriteOutcome;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.extension.ExtensionHandler;
import org.jdbi.v3.core.extension.ExtensionHandlerFactory;
import org.jdbi.v3.core.generic.GenericTypes;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** Handles the methods that Jdbi's own handlers refuse: guarded updates and batches that return outcomes. */
final class OutcomeHandlerFactory implements ExtensionHandlerFactory {

    @Override
    public boolean accepts(Class<?> extensionType, Method method) {
        return method.isAnnotationPresent(Fenced.class)
                && !method.isBridge()
                && ((method.isAnnotationPresent(SqlUpdate.class) && isOutcome(method))
                        || (method.isAnnotationPresent(SqlBatch.class) && isOutcomes(method)));
    }

    /** Whether one outcome is returned. */
    static boolean isOutcome(Method method) {
        return method.getReturnType() == WriteOutcome.class;
    }

    /** Whether an outcome for each row of a batch is returned. */
    static boolean isOutcomes(Method method) {
        return method.getReturnType() == List.class
                && GenericTypes.findGenericParameter(method.getGenericReturnType(), List.class)
                        .filter(WriteOutcome.class::equals)
                        .isPresent();
    }

    @Override
    public Optional<ExtensionHandler> createExtensionHandler(Class<?> extensionType, Method method) {
        MethodCustomizers customizers = new MethodCustomizers(extensionType, method);
        return Optional.of(
                isOutcome(method)
                        ? new OutcomeHandler(extensionType, method, customizers)
                        : new BatchOutcomeHandler(extensionType, method, customizers));
    }
}
