package io.github.fencedwrite.jdbi.internal.ownership;

/** Who is going to commit what is written on a handle now. */
public enum TransactionOwner {
    /** Nobody: no transaction was begun. In autocommit each statement commits itself. */
    NOBODY,
    /**
     * Nobody, although a transaction is open: the connection came with autocommit off, and statements were run without
     * anybody having begun one.
     */
    NOBODY_BUT_OPEN,
    /** Fencing, which began it. */
    FENCING,
    /** The caller, through Jdbi or the connection. */
    CALLER,
    /** A transaction manager of Spring. */
    SPRING,
    /** A container, as the application says by its {@code CMTTransactionHandler}. */
    CONTAINER
}
