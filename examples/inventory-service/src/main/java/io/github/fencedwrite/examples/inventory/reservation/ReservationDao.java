package io.github.fencedwrite.examples.inventory.reservation;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/**
 * The table {@code reservation}. It needs no token column: a new row comes in one transaction with the claimed row of
 * the stock that the pieces are from, and every later change enters the fence row of that stock (level 3).
 */
@RegisterConstructorMapper(Reservation.class)
interface ReservationDao {

    @SqlUpdate("""
            INSERT INTO reservation (id, warehouse, sku, quantity, state, expires_at)
            VALUES (:id, :warehouse, :sku, :quantity, :state, :expiresAt)
            """)
    void insert(@BindMethods Reservation reservation);

    @SqlUpdate("UPDATE reservation SET state = :state WHERE id = :id")
    void setState(@BindMethods Reservation reservation);

    @SqlQuery("SELECT id, warehouse, sku, quantity, state, expires_at FROM reservation WHERE id = :id")
    Optional<Reservation> find(UUID id);

    @SqlQuery("""
            SELECT id, warehouse, sku, quantity, state, expires_at FROM reservation
             WHERE state = 'PENDING' AND expires_at <= :now ORDER BY expires_at LIMIT :limit
            """)
    List<Reservation> findExpired(Instant now, int limit);
}
