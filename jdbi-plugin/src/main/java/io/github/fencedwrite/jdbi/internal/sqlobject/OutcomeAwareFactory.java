package io.github.fencedwrite.jdbi.internal.sqlobject;

import io.github.fencedwrite.jdbi.Fenced;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.extension.ConfigCustomizerFactory;
import org.jdbi.v3.core.extension.ExtensionFactory;
import org.jdbi.v3.core.extension.ExtensionHandlerCustomizer;
import org.jdbi.v3.core.extension.ExtensionHandlerFactory;
import org.jdbi.v3.core.extension.ExtensionMetadata;

/** Jdbi's factory of SQL Objects, with {@link OutcomeHandlerFactory} asked first. For types that need it only. */
record OutcomeAwareFactory(ExtensionFactory delegate) implements ExtensionFactory {

    @Override
    public boolean accepts(Class<?> extensionType) {
        return delegate.accepts(extensionType)
                && Arrays.stream(extensionType.getMethods())
                        .anyMatch(method -> method.isAnnotationPresent(Fenced.class)
                                && (OutcomeHandlerFactory.isOutcome(method)
                                        || OutcomeHandlerFactory.isOutcomes(method)));
    }

    @Override
    public Collection<ExtensionHandlerFactory> getExtensionHandlerFactories(ConfigRegistry config) {
        List<ExtensionHandlerFactory> factories = new ArrayList<>();
        factories.add(new OutcomeHandlerFactory());
        factories.addAll(delegate.getExtensionHandlerFactories(config));
        return factories;
    }

    @Override
    public Collection<ExtensionHandlerCustomizer> getExtensionHandlerCustomizers(ConfigRegistry config) {
        return delegate.getExtensionHandlerCustomizers(config);
    }

    @Override
    public Collection<ConfigCustomizerFactory> getConfigCustomizerFactories(ConfigRegistry config) {
        return delegate.getConfigCustomizerFactories(config);
    }

    @Override
    public void buildExtensionMetadata(ExtensionMetadata.Builder builder) {
        delegate.buildExtensionMetadata(builder);
    }

    @Override
    public Set<FactoryFlag> getFactoryFlags() {
        return delegate.getFactoryFlags();
    }
}
