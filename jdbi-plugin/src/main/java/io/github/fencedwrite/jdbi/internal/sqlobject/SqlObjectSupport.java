package io.github.fencedwrite.jdbi.internal.sqlobject;

import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.extension.Extensions;
import org.jdbi.v3.sqlobject.SqlObjectFactory;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.SqlObjects;

/** The part of the plugin that concerns SQL Objects, kept apart since jdbi3-sqlobject is optional. */
public final class SqlObjectSupport {

    private SqlObjectSupport() {}

    /** Makes parameters of guarded methods known, outcomes a return type, and misplaced annotations an error. */
    public static void install(Jdbi jdbi) {
        jdbi.installPlugin(new SqlObjectPlugin()); // does nothing if it is there, or comes later
        SqlObjects objects = jdbi.getConfig(SqlObjects.class);
        objects.setDefaultParameterCustomizerFactory(
                new TokenParameters(objects.getDefaultParameterCustomizerFactory()));
        Extensions extensions = jdbi.getConfig(Extensions.class);
        extensions.registerHandlerCustomizer((handler, type, method) -> {
            AnnotationCheck.checkHandled(type, method);
            return handler;
        });
        extensions
                .findFactory(SqlObjectFactory.class)
                .ifPresent(factory -> extensions.register(new OutcomeAwareFactory(factory)));
    }
}
