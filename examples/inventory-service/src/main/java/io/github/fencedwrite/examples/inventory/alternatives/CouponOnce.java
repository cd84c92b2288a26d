package io.github.fencedwrite.examples.inventory.alternatives;

import org.jdbi.v3.core.Jdbi;

/**
 * A unique constraint. Right for everything that may happen once: no lock, no token, no reading before. The
 * idempotency keys of this service work like that.
 */
final class CouponOnce {

    private final Jdbi jdbi;

    CouponOnce(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    /** Whether the coupon was still unused; of any number of calls at once one gets true. */
    boolean use(String coupon, String customer) {
        return jdbi.withHandle(handle -> handle.execute(
                        "INSERT INTO coupon_use (coupon, customer) VALUES (?, ?) ON CONFLICT DO NOTHING",
                        coupon,
                        customer))
                == 1;
    }
}
