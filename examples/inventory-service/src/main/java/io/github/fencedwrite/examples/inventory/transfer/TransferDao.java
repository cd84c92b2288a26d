package io.github.fencedwrite.examples.inventory.transfer;

import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The table {@code transfer}, whose rows are inserted behind the fence rows of both stocks and never changed. */
@RegisterConstructorMapper(Transfer.class)
interface TransferDao {

    @SqlUpdate("""
            INSERT INTO transfer (id, from_warehouse, to_warehouse, sku, quantity)
            VALUES (:id, :fromWarehouse, :toWarehouse, :sku, :quantity)
            """)
    void insert(@BindMethods Transfer transfer);

    @SqlQuery("SELECT id, from_warehouse, to_warehouse, sku, quantity FROM transfer WHERE id = :id")
    Optional<Transfer> find(UUID id);
}
