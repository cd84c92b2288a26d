package io.github.fencedwrite.examples.tokens;

import io.github.fencedwrite.FencingToken;
import java.util.Optional;
import org.jdbi.v3.sqlobject.customizer.Bind;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/**
 * Leases in a table, for those who need no Redis: one statement acquires the lease and counts its token up, so that no
 * holder can get the token of another one. The row has to stay; a lease that is released keeps its token.
 *
 * <p>Call these methods in autocommit: in a transaction, others see the lease only after the commit.
 */
public interface LeaseTable {

    /** The table. */
    @SqlUpdate("""
            CREATE TABLE IF NOT EXISTS lease (
              resource    text PRIMARY KEY,
              token       bigint NOT NULL,
              valid_until timestamptz NOT NULL)""")
    void create();

    /**
     * Acquires a lease if nobody else holds it.
     *
     * @param millis how long it lasts unless it is released
     */
    @SqlQuery("""
            INSERT INTO lease (resource, token, valid_until) VALUES (:resource, 1, clock_timestamp() + :millis * interval '1 ms')
            ON CONFLICT (resource) DO UPDATE SET token = lease.token + 1, valid_until = clock_timestamp() + :millis * interval '1 ms'
            WHERE lease.valid_until <= clock_timestamp()
            RETURNING token""")
    Optional<FencingToken> tryAcquire(String resource, long millis);

    /** Gives a lease back, unless another holder has it by now. */
    @SqlUpdate("UPDATE lease SET valid_until = '-infinity' WHERE resource = :resource AND token = :token")
    boolean release(String resource, @Bind("token") FencingToken token);
}
