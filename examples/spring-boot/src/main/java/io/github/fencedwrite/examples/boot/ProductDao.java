package io.github.fencedwrite.examples.boot;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.Claim;
import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Fenced;
import java.math.BigDecimal;
import java.util.Optional;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The tables. Writes to {@code product} carry a token; the other two are written together with it only. */
@RegisterConstructorMapper(Product.class)
interface ProductDao {

    @SqlQuery("SELECT sku, price, stock FROM product WHERE sku = :sku")
    Optional<Product> find(String sku);

    /** Tells whether the sku was free. */
    @SqlUpdate("INSERT INTO product (sku, price, stock) VALUES (:sku, :price, :stock) ON CONFLICT DO NOTHING")
    boolean insert(String sku, BigDecimal price, int stock);

    /** Level 1, since the price does not depend on what is in the row; tells whether there is one. */
    @Fenced
    @SqlUpdate("UPDATE product SET price = :price WHERE sku = :sku")
    boolean setPrice(String sku, BigDecimal price, Lease lease);

    @SqlUpdate("INSERT INTO price_change (sku, price) VALUES (:sku, :price)")
    void recordPrice(String sku, BigDecimal price);

    /** Level 2, the read: from here on the database refuses older holders. */
    @Claim
    @SqlQuery("SELECT sku, price, stock FROM product WHERE sku = :sku")
    Optional<Product> claim(String sku, Lease lease);

    /** Level 2, the write. */
    @Fenced(mode = FenceMode.CLAIMED)
    @SqlUpdate("UPDATE product SET stock = :stock WHERE sku = :sku")
    void setStock(String sku, int stock, Lease lease);

    @SqlUpdate("INSERT INTO reservation (sku, quantity) VALUES (:sku, :quantity)")
    void insertReservation(String sku, int quantity);

    /** Level 3: guarded nevertheless, since other levels write to this table, too. */
    @Fenced
    @SqlUpdate("UPDATE product SET stock = stock + :quantity WHERE sku = :sku")
    void addStock(String sku, int quantity, Lease lease);
}
