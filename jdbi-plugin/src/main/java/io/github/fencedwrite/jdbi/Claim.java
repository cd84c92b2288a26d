package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.jdbi.internal.sqlobject.ClaimFactory;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jdbi.v3.sqlobject.customizer.SqlStatementCustomizingAnnotation;

/**
 * Turns the SELECT of a {@code @SqlQuery} method into a claim: it reads the row and, in the same statement, lets the database
 * know the token, so that from then on an older holder is refused.
 *
 * <pre>
 * SELECT * FROM inventory WHERE sku = :sku
 * UPDATE inventory SET last_token = :t WHERE (sku = :sku) AND inventory.last_token &lt;= :t RETURNING *
 * </pre>
 *
 * <p>One writes the SELECT because reading is what the method is for: it stays a query that can be run as it stands, with its
 * select list, mapper and return type as Jdbi has them, and nobody can forget RETURNING or put the wrong comparison. Repeating
 * a claim is harmless. A newer token throws {@link StaleTokenException}; no row gives what the return type has for none.
 *
 * <p>With {@code rows = MANY} the SELECT ends in ORDER BY. The rows are locked in that order first, so that two claims of
 * overlapping rows cannot deadlock; this needs a transaction. Writes that follow use {@link Fenced} with
 * {@link FenceMode#CLAIMED}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@SqlStatementCustomizingAnnotation(ClaimFactory.class)
public @interface Claim {

    /** How many rows the condition covers; {@link Rows#ONE} unless said otherwise. */
    Rows rows() default Rows.ONE;

    /** The token column. */
    String column() default "last_token";
}
