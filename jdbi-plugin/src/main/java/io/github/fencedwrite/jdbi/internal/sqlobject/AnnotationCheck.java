package io.github.fencedwrite.jdbi.internal.sqlobject;

import io.github.fencedwrite.jdbi.Claim;
import io.github.fencedwrite.jdbi.Fenced;
import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import io.github.fencedwrite.jdbi.internal.statement.FencedCall;
import io.github.fencedwrite.jdbi.internal.statement.FencingConfig;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.sqlobject.UnableToCreateSqlObjectException;
import org.jdbi.v3.sqlobject.customizer.SqlStatementCustomizer;
import org.jdbi.v3.sqlobject.customizer.SqlStatementCustomizingAnnotation;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlCall;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlScript;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** Where {@link Fenced} and {@link Claim} may stand; checked when a SQL Object is attached, not when it is called. */
final class AnnotationCheck {

    private AnnotationCheck() {}

    static void check(Annotation annotation, Method method, List<Class<? extends Annotation>> allowed) {
        String name = "@" + annotation.annotationType().getSimpleName();
        if (allowed.stream().noneMatch(method::isAnnotationPresent)) {
            throw refuse(
                    method,
                    name + " belongs on a method with "
                            + allowed.stream()
                                    .map(type -> "@" + type.getSimpleName())
                                    .collect(Collectors.joining(", ")));
        }
        if (method.isAnnotationPresent(Claim.class) && method.isAnnotationPresent(Fenced.class)) {
            throw refuse(method, "@Claim and @Fenced exclude each other: claim first, then write with mode CLAIMED");
        }
        boolean outcome = OutcomeHandlerFactory.isOutcome(method);
        if ((method.isAnnotationPresent(SqlBatch.class) && outcome)
                || (method.isAnnotationPresent(SqlUpdate.class) && OutcomeHandlerFactory.isOutcomes(method))) {
            throw refuse(method, "an update returns one WriteOutcome, a batch a List<WriteOutcome>");
        }
        List<Parameter> tokens = tokens(method).toList();
        if (tokens.size() != 1) {
            throw refuse(
                    method,
                    name + " needs exactly one parameter of type FencingToken or Lease, but there are "
                            + tokens.size());
        }
        if (isCustomized(tokens.get(0))) {
            throw refuse(
                    method,
                    "the token parameter takes no @Bind or the like; leave it off, the guard finds it by its type");
        }
    }

    /** A method without a SQL annotation never comes by at {@link #check}; its guard would be forgotten silently. */
    static void checkHandled(Class<?> type, Method method) {
        if (!isGuarded(method) && Modifier.isAbstract(method.getModifiers())) {
            guardedAbove(type, method).ifPresent(parent -> {
                throw refuse(
                        method,
                        "it takes the place of " + parent.getDeclaringClass().getSimpleName() + "." + parent.getName()
                                + ", which has @Fenced or @Claim; annotations are not inherited, so repeat it here");
            });
        }
        boolean sql = Stream.of(SqlUpdate.class, SqlBatch.class, SqlQuery.class).anyMatch(method::isAnnotationPresent);
        boolean otherSql = Stream.of(SqlScript.class, SqlCall.class).anyMatch(method::isAnnotationPresent);
        if ((sql || otherSql) && !isGuarded(method) && tokens(method).anyMatch(parameter -> !isCustomized(parameter))) {
            throw refuse(
                    method,
                    "a token without @Fenced or @Claim guards nothing; add one of them, or @Bind to the parameter if the "
                            + "statement compares the token itself");
        }
        if (!sql && isGuarded(method)) {
            throw refuse(
                    method,
                    "@Fenced and @Claim guard the statement of a method with @SqlUpdate, @SqlBatch or @SqlQuery; a "
                            + "default method has none of its own. Put them on the methods that it calls");
        }
    }

    private static Stream<Parameter> tokens(Method method) {
        return Arrays.stream(method.getParameters())
                .filter(parameter -> TokenParameters.isToken(
                        MethodCustomizers.elementType(parameter.getParameterizedType(), method, parameter)));
    }

    private static boolean isCustomized(Parameter parameter) {
        return Arrays.stream(parameter.getAnnotations())
                .anyMatch(a -> a.annotationType().isAnnotationPresent(SqlStatementCustomizingAnnotation.class));
    }

    private static boolean isGuarded(Method method) {
        return method.isAnnotationPresent(Fenced.class) || method.isAnnotationPresent(Claim.class);
    }

    private static Optional<Method> guardedAbove(Class<?> type, Method method) {
        return Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                .flatMap(parent -> Stream.concat(
                        Arrays.stream(parent.getDeclaredMethods())
                                .filter(above -> isGuarded(above) && isOverridden(above, method)),
                        guardedAbove(parent, method).stream()))
                .findFirst();
    }

    private static boolean isOverridden(Method above, Method method) {
        if (above.equals(method)
                || !above.getName().equals(method.getName())
                || above.getParameterCount() != method.getParameterCount()) {
            return false;
        }
        for (int i = 0; i < above.getParameterCount(); i++) {
            if (!above.getParameterTypes()[i].isAssignableFrom(method.getParameterTypes()[i])) {
                return false;
            }
        }
        return true;
    }

    /** For handlers of Jdbi, which cannot return outcomes. */
    static void checkJdbiCanReturn(Method method) {
        if (OutcomeHandlerFactory.isOutcome(method) || OutcomeHandlerFactory.isOutcomes(method)) {
            throw refuse(
                    method,
                    "only FencingPlugin can return a WriteOutcome, and it is not installed on this Jdbi: call "
                            + "jdbi.installPlugin(new FencingPlugin()). If it is, the type has @GenerateSqlObject, whose methods "
                            + "cannot return them");
        }
    }

    static SqlStatementCustomizer customizer(GuardSpec fence, boolean retry, boolean partial) {
        return statement -> {
            // a batch comes by once for each of its rows
            if (statement.getConfig(FencingConfig.class).call() == null) {
                FencedCall call = new FencedCall(fence, retry);
                if (partial) {
                    call.acceptPartial();
                }
                FencingConfig.fence(statement, call);
            }
        };
    }

    private static UnableToCreateSqlObjectException refuse(Method method, String what) {
        return new UnableToCreateSqlObjectException(
                method.getDeclaringClass().getSimpleName() + "." + method.getName() + ": " + what + ".");
    }
}
