package io.github.fencedwrite.jdbi.internal.statement;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.Lease;
import java.lang.reflect.Type;
import java.sql.Types;
import java.util.Optional;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.argument.ArgumentFactory;
import org.jdbi.v3.core.argument.NullArgument;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.generic.GenericTypes;
import org.jspecify.annotations.Nullable;

/** Lets a {@link FencingToken}, or that of a {@link Lease}, be bound like any number. */
public final class TokenArguments implements ArgumentFactory {

    @Override
    public Optional<Argument> build(Type type, @Nullable Object value, ConfigRegistry config) {
        if (value instanceof FencingToken token) {
            return Optional.of((position, statement, ctx) -> statement.setLong(position, token.value()));
        } else if (value instanceof Lease lease) {
            return build(type, lease.token(), config);
        }
        Class<?> erased = GenericTypes.getErasedType(type);
        boolean ours = erased == FencingToken.class || Lease.class.isAssignableFrom(erased);
        return value == null && ours ? Optional.of(new NullArgument(Types.BIGINT)) : Optional.empty();
    }
}
