package io.github.fencedwrite.jdbi;

import io.github.fencedwrite.FencingToken;
import java.util.List;
import org.jdbi.v3.sqlobject.GenerateSqlObject;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** A SQL Object whose implementation is {@link GeneratedDaoImpl}. */
@GenerateSqlObject
interface GeneratedDao {

    @Fenced
    @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
    int set(String sku, int stock, FencingToken token);

    @Fenced
    @SqlBatch("UPDATE inventory SET stock = :stock WHERE sku = :sku")
    int[] setAll(List<String> sku, List<Integer> stock, List<FencingToken> token);

    @Claim
    @SqlQuery("SELECT stock FROM inventory WHERE sku = :sku")
    int claim(String sku, FencingToken token);

    @Fenced(mode = FenceMode.CLAIMED)
    @SqlUpdate("UPDATE inventory SET stock = stock - :quantity WHERE sku = :sku")
    void take(String sku, int quantity, FencingToken token);

    default int sell(String sku, int quantity, FencingToken token) {
        int left = claim(sku, token) - quantity;
        take(sku, quantity, token);
        return left;
    }
}
