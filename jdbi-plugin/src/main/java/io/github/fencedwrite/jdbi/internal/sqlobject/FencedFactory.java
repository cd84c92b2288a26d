package io.github.fencedwrite.jdbi.internal.sqlobject;

import io.github.fencedwrite.jdbi.Fenced;
import io.github.fencedwrite.jdbi.internal.sql.GuardSpec;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import org.jdbi.v3.sqlobject.customizer.SqlStatementCustomizer;
import org.jdbi.v3.sqlobject.customizer.SqlStatementCustomizerFactory;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** Makes {@link Fenced} work on the statement of a method. */
public final class FencedFactory implements SqlStatementCustomizerFactory {

    @Override
    public SqlStatementCustomizer createForMethod(Annotation annotation, Class<?> sqlObjectType, Method method) {
        SqlStatementCustomizer customizer = create((Fenced) annotation, method);
        AnnotationCheck.checkJdbiCanReturn(method);
        return customizer;
    }

    static SqlStatementCustomizer create(Fenced fenced, Method method) {
        AnnotationCheck.check(fenced, method, List.of(SqlUpdate.class, SqlBatch.class, SqlQuery.class));
        GuardSpec fence = GuardSpec.write(fenced.mode(), fenced.rows(), fenced.column());
        return AnnotationCheck.customizer(fence, fenced.retry(), fenced.partial());
    }
}
