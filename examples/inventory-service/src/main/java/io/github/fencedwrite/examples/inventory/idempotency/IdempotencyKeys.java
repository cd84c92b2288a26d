package io.github.fencedwrite.examples.inventory.idempotency;

import io.github.fencedwrite.examples.inventory.RejectedException;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/**
 * The table {@code idempotency_key}: which request made what. It needs no token: a key is written once and never
 * changed, its primary key decides between two, and it is committed together with what the request did, or not at
 * all.
 */
public final class IdempotencyKeys {

    private final Dao dao;

    /** Creates the table's access. */
    public IdempotencyKeys(Jdbi jdbi) {
        this.dao = jdbi.onDemand(Dao.class);
    }

    /**
     * What the request made when it came the first time.
     *
     * @throws RejectedException if the key belongs to another request
     */
    public Optional<UUID> find(IdempotentRequest request) {
        return dao.find(request.key()).map(entry -> {
            if (!entry.content().equals(request.content())) {
                throw reused(request);
            }
            return entry.resultId();
        });
    }

    /**
     * Remembers what the request made; part of the transaction that makes it.
     *
     * @throws RejectedException if another request has taken the key meanwhile
     */
    public void remember(IdempotentRequest request, UUID resultId) {
        if (dao.insert(request.key(), request.content(), resultId) == 0) {
            // the same request cannot have done so: it would have had to hold the same lock
            throw reused(request);
        }
    }

    private static RejectedException reused(IdempotentRequest request) {
        return new RejectedException(
                RejectedException.Reason.KEY_REUSED,
                "The " + IdempotentRequest.HEADER + " \"" + request.key()
                        + "\" was used for another request. Send a new key for a new request.");
    }

    /** Who used a key, and what came of it. */
    record Entry(String content, UUID resultId) {}

    @RegisterConstructorMapper(Entry.class)
    interface Dao {

        @SqlQuery("SELECT content, result_id FROM idempotency_key WHERE key = :key")
        Optional<Entry> find(String key);

        @SqlUpdate("""
                INSERT INTO idempotency_key (key, content, result_id) VALUES (:key, :content, :resultId)
                ON CONFLICT (key) DO NOTHING
                """)
        int insert(String key, String content, UUID resultId);
    }
}
