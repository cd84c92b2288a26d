package io.github.fencedwrite.examples.inventory.product;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.jdbi.Fenced;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The table {@code product}. */
@RegisterConstructorMapper(Product.class)
interface ProductDao {

    @SqlQuery("SELECT sku, name, price_cents FROM product ORDER BY sku LIMIT :limit")
    List<Product> list(int limit);

    @SqlQuery("SELECT sku, name, price_cents FROM product WHERE sku = :sku")
    Optional<Product> find(String sku);

    // Level 1: what is written does not depend on what was read, so the comparison in the statement itself is enough.
    // The table is strict besides (level 4, V5): imports and people with psql cannot write past the lock either.
    @Fenced
    @SqlUpdate("""
            INSERT INTO product (sku, name, price_cents) VALUES (:sku, :name, :priceCents)
            ON CONFLICT (sku) DO UPDATE SET name = EXCLUDED.name, price_cents = EXCLUDED.price_cents
            """)
    void put(@BindMethods Product product, Lease lease);
}
