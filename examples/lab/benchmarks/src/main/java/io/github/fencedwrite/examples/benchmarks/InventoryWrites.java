package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.jdbi.Claim;
import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Fenced;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.customizer.Bind;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The same work in the ways that are compared: with the plugin, and as one would write it by hand. */
interface InventoryWrites {

    /** What is read before a write. */
    record Versioned(int stock, long version) {}

    @Fenced
    @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
    void setGuarded(String sku, int stock, FencingToken token);

    @Claim
    @SqlQuery("SELECT stock FROM inventory WHERE sku = :sku")
    int claim(String sku, FencingToken token);

    @Fenced(mode = FenceMode.CLAIMED)
    @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
    void setClaimed(String sku, int stock, FencingToken token);

    @SqlUpdate("UPDATE inventory SET stock = :stock, last_token = :token WHERE sku = :sku AND last_token < :token")
    int setGuardedByHand(String sku, int stock, @Bind("token") FencingToken token);

    @SqlUpdate("UPDATE other SET stock = :stock, last_token = :token WHERE sku = :sku AND last_token < :token")
    int setOtherGuardedByHand(String sku, int stock, @Bind("token") FencingToken token);

    @SqlQuery("UPDATE inventory SET last_token = :token WHERE sku = :sku AND last_token <= :token RETURNING stock")
    int claimByHand(String sku, @Bind("token") FencingToken token);

    @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku AND last_token = :token")
    int setClaimedByHand(String sku, int stock, @Bind("token") FencingToken token);

    @SqlQuery("UPDATE other SET last_token = :token WHERE sku = :sku AND last_token <= :token RETURNING stock")
    int claimOtherByHand(String sku, @Bind("token") FencingToken token);

    @SqlUpdate("UPDATE other SET stock = :stock WHERE sku = :sku AND last_token = :token")
    int setOtherClaimedByHand(String sku, int stock, @Bind("token") FencingToken token);

    @SqlQuery("SELECT stock FROM inventory WHERE sku = :sku")
    int read(String sku);

    @SqlQuery("SELECT stock FROM other WHERE sku = :sku")
    int readOther(String sku);

    @SqlQuery("SELECT stock FROM inventory WHERE sku = :sku FOR UPDATE")
    int lock(String sku);

    @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
    int set(String sku, int stock);

    @SqlQuery("SELECT stock, version FROM inventory WHERE sku = :sku")
    @RegisterConstructorMapper(Versioned.class)
    Versioned readVersion(String sku);

    @SqlUpdate("UPDATE inventory SET stock = :stock, version = version + 1 WHERE sku = :sku AND version = :version")
    int setVersion(String sku, int stock, long version);

    @SqlQuery("SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtextextended(:sku, 0))) AS locked")
    int lockAdvisory(String sku);
}
