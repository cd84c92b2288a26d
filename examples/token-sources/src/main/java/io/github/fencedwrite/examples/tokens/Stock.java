package io.github.fencedwrite.examples.tokens;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.jdbi.Claim;
import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Fenced;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The table that is guarded. It takes a number and does not care where the number comes from. */
public interface Stock {

    /** Reads the stock, and from here on the database refuses older tokens. */
    @Claim
    @SqlQuery("SELECT stock FROM inventory WHERE sku = :sku")
    int claim(String sku, FencingToken token);

    /** Writes a row that was claimed with the same token. */
    @Fenced(mode = FenceMode.CLAIMED)
    @SqlUpdate("UPDATE inventory SET stock = :stock WHERE sku = :sku")
    void set(String sku, int stock, FencingToken token);
}
