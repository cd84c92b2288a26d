package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.jdbi.internal.sqlobject.FencedFactory;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jdbi.v3.sqlobject.customizer.SqlStatementCustomizingAnnotation;

/**
 * Guards the statement of a SQL Object method: PostgreSQL writes the row only if the token allows it.
 *
 * <p>Belongs on a method with {@code @SqlUpdate}, {@code @SqlBatch} or (for {@code RETURNING}) {@code @SqlQuery} and exactly
 * one parameter of type {@link io.github.fencedwrite.FencingToken} or {@link io.github.fencedwrite.Lease}. The statement
 * stays as it was written, apart from two fragments:
 *
 * <pre>
 * UPDATE inventory SET stock = :stock WHERE sku = :sku
 * UPDATE inventory SET stock = :stock, last_token = :t WHERE (sku = :sku) AND inventory.last_token &lt; :t
 * </pre>
 *
 * <p>What is not understood is refused with a {@link StatementRefusedException} and not run. Needs the {@link FencingPlugin}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@SqlStatementCustomizingAnnotation(FencedFactory.class)
public @interface Fenced {

    /** What is expected of the row's token; {@link FenceMode#FIRST} unless said otherwise, never guessed. */
    FenceMode mode() default FenceMode.FIRST;

    /** How many rows the condition covers; {@link Rows#ONE} unless said otherwise. */
    Rows rows() default Rows.ONE;

    /** The token column; a row that is written under two locks needs one for each. */
    String column() default "last_token";

    /**
     * Whether each call is, or repeats, one and the same statement of its lease, so that a row which carries the token
     * already counts as done. Otherwise that is an {@link AlreadyWrittenException}, since a second, different statement of
     * the same lease would vanish silently.
     *
     * <p>An INSERT whose key is taken by a row with this token counts as done as well; one in a transaction is preceded by a
     * savepoint for that. If it returns rows or generated keys, {@link AlreadyWrittenException} is thrown nevertheless, since
     * what the first attempt returned is not known.
     */
    boolean retry() default false;

    /**
     * Whether a write of only a part of several rows ({@code rows = MANY}) is returned as {@link WriteOutcome.Partial}, and
     * committed unless the caller rolls back. Otherwise it is a {@link PartialWriteException} even if outcomes are returned.
     */
    boolean partial() default false;
}
