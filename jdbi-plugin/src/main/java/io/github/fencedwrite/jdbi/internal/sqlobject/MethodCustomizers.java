package io.github.fencedwrite.jdbi.internal.sqlobject;

import io.github.fencedwrite.jdbi.Fenced;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jdbi.v3.core.generic.GenericTypes;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jdbi.v3.sqlobject.SingleValue;
import org.jdbi.v3.sqlobject.SqlObjects;
import org.jdbi.v3.sqlobject.UnableToCreateSqlObjectException;
import org.jdbi.v3.sqlobject.customizer.SqlStatementCustomizerFactory;
import org.jdbi.v3.sqlobject.customizer.SqlStatementCustomizingAnnotation;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jspecify.annotations.Nullable;

/**
 * Applies the annotations of a SQL Object method to its statement, as Jdbi's handlers do: those of the type, of the method,
 * of the parameters. Jdbi keeps its own implementation to itself.
 */
final class MethodCustomizers {

    private interface Step {
        void apply(SqlStatement<?> statement, @Nullable Object[] args) throws SQLException;
    }

    private final List<Step> steps = new ArrayList<>();

    MethodCustomizers(Class<?> type, Method method) {
        addType(type, type);
        for (Annotation annotation : customizing(method)) {
            SqlStatementCustomizerFactory factory = factory(annotation);
            var customizer = factory instanceof FencedFactory
                    ? FencedFactory.create((Fenced) annotation, method)
                    : factory.createForMethod(annotation, type, method);
            steps.add((statement, args) -> customizer.apply(statement));
        }
        Parameter[] parameters = method.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            addParameter(type, method, parameters[i], i);
        }
    }

    private void addType(Class<?> annotated, Class<?> type) {
        for (Class<?> parent : annotated.getInterfaces()) {
            addType(parent, type);
        }
        for (Annotation annotation : customizing(annotated)) {
            var customizer = factory(annotation).createForType(annotation, type);
            steps.add((statement, args) -> customizer.apply(statement));
        }
    }

    private void addParameter(Class<?> type, Method method, Parameter parameter, int index) {
        Type parameterType =
                elementType(GenericTypes.resolveType(parameter.getParameterizedType(), type), method, parameter);
        List<Annotation> annotations = customizing(parameter);
        for (Annotation annotation : annotations) {
            var customizer =
                    factory(annotation).createForParameter(annotation, type, method, parameter, index, parameterType);
            steps.add((statement, args) -> customizer.apply(statement, args[index]));
        }
        if (annotations.isEmpty()) {
            steps.add((statement, args) -> statement
                    .getConfig(SqlObjects.class)
                    .getDefaultParameterCustomizerFactory()
                    .createForParameter(type, method, parameter, index, parameterType)
                    .apply(statement, args[index]));
        }
    }

    /** The type of what is bound: in a batch that of an element. */
    static Type elementType(Type type, Method method, Parameter parameter) {
        if (!method.isAnnotationPresent(SqlBatch.class) || parameter.isAnnotationPresent(SingleValue.class)) {
            return type;
        }
        Class<?> erased = GenericTypes.getErasedType(type);
        if (erased.isArray()) {
            return erased.getComponentType();
        }
        for (Class<?> many : List.of(Iterable.class, java.util.Iterator.class)) {
            if (many.isAssignableFrom(erased)) {
                return GenericTypes.findGenericParameter(type, many)
                        .orElseThrow(() -> new IllegalStateException(type + " must have a generic parameter"));
            }
        }
        return type;
    }

    void apply(SqlStatement<?> statement, @Nullable Object[] args) {
        for (Step step : steps) {
            try {
                step.apply(statement, args);
            } catch (SQLException e) {
                throw new UnableToExecuteStatementException(e, statement.getContext());
            }
        }
    }

    private static List<Annotation> customizing(AnnotatedElement element) {
        return Arrays.stream(element.getAnnotations())
                .filter(a -> a.annotationType().isAnnotationPresent(SqlStatementCustomizingAnnotation.class))
                .toList();
    }

    private static SqlStatementCustomizerFactory factory(Annotation annotation) {
        var factory = annotation
                .annotationType()
                .getAnnotation(SqlStatementCustomizingAnnotation.class)
                .value();
        try {
            return factory.getDeclaredConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw new UnableToCreateSqlObjectException("Cannot create " + factory, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new UnableToCreateSqlObjectException("Cannot create " + factory, e);
        }
    }
}
