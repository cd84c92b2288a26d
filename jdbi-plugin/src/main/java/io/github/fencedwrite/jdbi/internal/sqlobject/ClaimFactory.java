package io.github.fencedwrite.jdbi.internal.sqlobject;

import io.github.fencedwrite.jdbi.Claim;
import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import org.jdbi.v3.sqlobject.customizer.SqlStatementCustomizer;
import org.jdbi.v3.sqlobject.customizer.SqlStatementCustomizerFactory;
import org.jdbi.v3.sqlobject.statement.SqlQuery;

/** Makes {@link Claim} work on the statement of a method. */
public final class ClaimFactory implements SqlStatementCustomizerFactory {

    @Override
    public SqlStatementCustomizer createForMethod(Annotation annotation, Class<?> sqlObjectType, Method method) {
        Claim claim = (Claim) annotation;
        AnnotationCheck.check(claim, method, List.of(SqlQuery.class));
        return AnnotationCheck.customizer(GuardSpec.claim(claim.rows(), claim.column()), true, false);
    }
}
