package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.jdbi.internal.sqlobject.FencedTransactionDecorator;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jdbi.v3.core.extension.annotation.UseExtensionHandlerCustomizer;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/**
 * Runs a method of a SQL Object as the body of a fenced transaction; see {@link FencedTransactions} for what that means. Belongs
 * on default methods, and on those with a statement of their own.
 *
 * <p>Exactly one parameter says under which lock:
 *
 * <ul>
 *   <li>a {@link io.github.fencedwrite.Lease}: the caller has acquired it and will release it
 *   <li>a {@link io.github.fencedwrite.LeaseRequest}: the lock is acquired before the transaction begins and released after its
 *       commit. A parameter of type {@link java.time.Duration}, if there is one, says how long to wait for it; otherwise there
 *       is one attempt. The plugin has to know where locks come from: {@link FencingPlugin#locks}
 * </ul>
 *
 * <pre>
 * &#64;FencedTransaction
 * default Order place(Lease lease, Order order) { … }
 * </pre>
 *
 * <p>The method runs on the handle of its SQL Object, so that it cannot be repeated after a lost connection; that is
 * {@link RetryableWriteException}. What the database calls retryable is repeated under a {@code LeaseRequest} only.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@UseExtensionHandlerCustomizer(FencedTransactionDecorator.class)
public @interface FencedTransaction {

    /** Whether the fence row is taken; see {@link FencedTransactions#withoutFenceRow()}. */
    boolean fenceRow() default true;

    /** The level to begin with; UNKNOWN for the one that the connection has. */
    TransactionIsolationLevel isolation() default TransactionIsolationLevel.UNKNOWN;
}
