package io.github.fencedwrite.jdbi.internal.transaction;

import io.github.fencedwrite.jdbi.LeaseSource;
import org.jdbi.v3.core.config.JdbiConfig;
import org.jspecify.annotations.Nullable;

/** Where methods of SQL Objects get their locks from, kept in Jdbi's configuration. */
public final class LockSource implements JdbiConfig<LockSource> {

    private @Nullable LeaseSource source;

    /** For Jdbi, which makes configuration by reflection. */
    public LockSource() {}

    /** Called by the plugin. */
    public void set(LeaseSource locks) {
        source = locks;
    }

    /** Null if none was given. */
    public @Nullable LeaseSource get() {
        return source;
    }

    @Override
    public LockSource createCopy() {
        LockSource copy = new LockSource();
        copy.source = source;
        return copy;
    }
}
