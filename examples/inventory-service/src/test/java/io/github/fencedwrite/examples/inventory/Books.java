package io.github.fencedwrite.examples.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;

/** Compares what clients were told with what the database has. */
final class Books {

    private Books() {}

    /** No reservation is lost, none is there that nobody was told of, and no piece was sold twice. */
    static void assertBalance(Fixture fixture, Map<String, String> told, int stockOfEach) {
        Map<String, String> inDatabase = fixture.jdbi()
                .withHandle(handle -> handle.createQuery("SELECT id::text, state FROM reservation")
                        .reduceRows(new HashMap<String, String>(), (all, row) -> {
                            all.put(row.getColumn("id", String.class), row.getColumn("state", String.class));
                            return all;
                        }));
        assertThat(inDatabase).isEqualTo(told);
        assertThat(fixture.count("""
                        SELECT count(*) FROM stock s
                         WHERE s.available + (SELECT coalesce(sum(r.quantity), 0) FROM reservation r
                                               WHERE (r.warehouse, r.sku) = (s.warehouse, s.sku)
                                                 AND r.state IN ('PENDING', 'CONFIRMED')) <> %d
                        """.formatted(stockOfEach)))
                .as("articles whose pieces do not add up")
                .isZero();
    }
}
