package io.github.fencedwrite.jdbi.internal.sql;

/** How parameters are written in the text that is scanned. */
public enum ParameterStyle {
    /** As Jdbi's default parser has it: {@code :name}, {@code ?} and a backslash that protects the next character. */
    JDBI,
    /** Plain JDBC: {@code ?} only, {@code ??} for the operator. */
    JDBC
}
