package io.github.fencedwrite.jdbi.internal.sqlobject;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.internal.statement.FencedCall;
import io.github.fencedwrite.jdbi.internal.statement.FencingConfig;
import io.github.fencedwrite.jdbi.internal.statement.PresentedToken;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import org.jdbi.v3.core.generic.GenericTypes;
import org.jdbi.v3.sqlobject.customizer.SqlStatementParameterCustomizer;
import org.jdbi.v3.sqlobject.statement.ParameterCustomizerFactory;

/** Hands the token parameter of a guarded method to its {@link FencedCall}; all else is left to the factory that was there. */
public final class TokenParameters implements ParameterCustomizerFactory {

    private final ParameterCustomizerFactory delegate;

    /** Wraps the factory for parameters without annotations. */
    public TokenParameters(ParameterCustomizerFactory delegate) {
        this.delegate = delegate;
    }

    static boolean isToken(Type type) {
        Class<?> erased = GenericTypes.getErasedType(type);
        return erased == FencingToken.class || Lease.class.isAssignableFrom(erased);
    }

    @Override
    public SqlStatementParameterCustomizer createForParameter(
            Class<?> sqlObjectType, Method method, Parameter parameter, int index, Type type) {
        SqlStatementParameterCustomizer binding =
                delegate.createForParameter(sqlObjectType, method, parameter, index, type);
        if (!isToken(type)) {
            return binding;
        }
        return (statement, argument) -> {
            FencedCall call = statement.getConfig(FencingConfig.class).call();
            if (call == null) {
                binding.apply(statement, argument);
            } else {
                call.present(PresentedToken.ofArgument(argument));
                // the name stays usable in the user's own SQL; positions are not taken by the token
                if (parameter.isNamePresent()) {
                    statement.bind(parameter.getName(), argument instanceof Lease lease ? lease.token() : argument);
                }
            }
        };
    }
}
