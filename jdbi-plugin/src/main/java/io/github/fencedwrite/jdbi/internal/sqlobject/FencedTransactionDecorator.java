package io.github.fencedwrite.jdbi.internal.sqlobject;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.LeaseRequest;
import io.github.fencedwrite.jdbi.FencedTransaction;
import io.github.fencedwrite.jdbi.LeaseSource;
import io.github.fencedwrite.jdbi.internal.transaction.LockSource;
import io.github.fencedwrite.jdbi.internal.transaction.MethodTransaction;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.extension.AttachedExtensionHandler;
import org.jdbi.v3.core.extension.ExtensionHandler;
import org.jdbi.v3.core.extension.ExtensionHandlerCustomizer;
import org.jdbi.v3.core.extension.HandleSupplier;
import org.jspecify.annotations.Nullable;

/** Makes {@link FencedTransaction} work. */
public final class FencedTransactionDecorator implements ExtensionHandlerCustomizer {

    /** For Jdbi, which makes it by reflection. */
    public FencedTransactionDecorator() {}

    @Override
    public ExtensionHandler customize(ExtensionHandler handler, Class<?> type, Method method) {
        FencedTransaction annotation = Objects.requireNonNull(method.getAnnotation(FencedTransaction.class));
        int lease = only(method, Lease.class);
        int request = only(method, LeaseRequest.class);
        int wait = request < 0 ? -1 : only(method, Duration.class);
        if (lease < 0 == request < 0) {
            throw new IllegalArgumentException(
                    "@FencedTransaction on " + method + " needs a parameter that says under which "
                            + "lock it runs: either one Lease, or one LeaseRequest.");
        }
        return (config, target) -> {
            AttachedExtensionHandler body = handler.attachTo(config, target);
            return (handles, args) -> {
                MethodTransaction transaction =
                        new MethodTransaction(handles.getHandle(), annotation.fenceRow(), annotation.isolation());
                return lease >= 0
                        ? transaction.under(given(args[lease], method), h -> body.invoke(handles, args))
                        : transaction.locked(
                                source(handles, method),
                                given(args[request], method),
                                wait < 0 ? Duration.ZERO : given(args[wait], method),
                                h -> body.invoke(handles, args));
            };
        };
    }

    /** The position of the parameter of this type; -1 if there is none. */
    private static int only(Method method, Class<?> type) {
        Class<?>[] types = method.getParameterTypes();
        if (Arrays.stream(types).filter(type::isAssignableFrom).count() > 1) {
            throw new IllegalArgumentException(
                    "@FencedTransaction on " + method + " has more than one parameter of type " + type.getSimpleName()
                            + ", so it cannot be told which one is meant.");
        }
        for (int i = 0; i < types.length; i++) {
            if (type.isAssignableFrom(types[i])) {
                return i;
            }
        }
        return -1;
    }

    private static LeaseSource source(HandleSupplier handles, Method method) {
        Handle handle = handles.getHandle();
        LeaseSource source = handle.getJdbi().getConfig(LockSource.class).get();
        if (source == null) {
            throw new IllegalStateException(
                    "@FencedTransaction on " + method + " has to acquire a lock, and no locks are known. "
                            + "Install new FencingPlugin().locks(locks::acquire), or pass a Lease.");
        }
        return source;
    }

    @SuppressWarnings("unchecked") // of the type by which the parameter was found
    private static <T> T given(@Nullable Object argument, Method method) {
        return (T) Objects.requireNonNull(
                argument, () -> "@FencedTransaction on " + method + " got null for its lock or its wait.");
    }
}
