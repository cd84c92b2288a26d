package io.github.fencedwrite.jdbi.internal.sqlobject;

import io.github.fencedwrite.jdbi.PartialWriteException;
import io.github.fencedwrite.jdbi.WriteNotAppliedException;
import io.github.fencedwrite.jdbi.internal.statement.FencedCall;
import io.github.fencedwrite.jdbi.internal.statement.FencingConfig;
import java.lang.reflect.Method;
import java.util.Objects;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.extension.AttachedExtensionHandler;
import org.jdbi.v3.core.extension.ExtensionHandler;
import org.jdbi.v3.core.statement.Update;
import org.jdbi.v3.sqlobject.SqlObjects;

/** Runs a guarded update and returns its outcome. */
record OutcomeHandler(Class<?> type, Method method, MethodCustomizers customizers) implements ExtensionHandler {

    @Override
    public AttachedExtensionHandler attachTo(ConfigRegistry config, Object target) {
        String sql = config.get(SqlObjects.class).getSqlLocator().locate(type, method, config);
        return (handles, args) -> {
            try (Update update = handles.getHandle().createUpdate(sql)) {
                customizers.apply(update, args);
                FencedCall call = Objects.requireNonNull(
                        update.getConfig(FencingConfig.class).call());
                call.keepSilent();
                update.execute();
                return call.outcomes().get(0);
            } catch (PartialWriteException e) {
                throw e; // returned, it would be committed
            } catch (WriteNotAppliedException e) {
                return e.outcome();
            }
        };
    }
}
