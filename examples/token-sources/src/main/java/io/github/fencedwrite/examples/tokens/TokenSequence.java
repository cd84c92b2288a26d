package io.github.fencedwrite.examples.tokens;

import io.github.fencedwrite.FencingToken;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/**
 * Tokens for a lock that brings none, from a sequence of the database. Draw the token after the lock was acquired and
 * before anything is read: what was read earlier may be older than the token says.
 */
public interface TokenSequence {

    /** The sequence. {@code CACHE 1}, since cached numbers are handed out of order by different connections. */
    @SqlUpdate("CREATE SEQUENCE IF NOT EXISTS fencing_token AS bigint CACHE 1 NO CYCLE")
    void create();

    /** The next token. */
    @SqlQuery("SELECT nextval('fencing_token')")
    FencingToken next();
}
