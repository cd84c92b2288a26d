package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The start of a fence-row transaction. */
@Tag("contract")
class FenceRowIT {

    private final TestDatabase database = TestDatabase.withFencing();

    @Test
    void entersWithANewerOrTheSameTokenAndNotWithAnOlderOne() {
        assertThat(enter("order:1", 33)).isEqualTo("(t,33,true)");
        assertThat(enter("order:1", 33)).isEqualTo("(t,33,true)");
        assertThat(enter("order:1", 34)).isEqualTo("(t,34,true)");
        assertThat(enter("order:1", 33)).isEqualTo("(f,34,false)");
        assertThat(enter("order:2", 1)).isEqualTo("(t,1,true)");
    }

    @Test
    void announcesTheTokenUntilTheTransactionEnds() {
        assertThat(database.ask("SELECT current_setting('fencing.token', true) IS NULL"))
                .isEqualTo("t");
        database.run(
                "BEGIN",
                "SELECT fencing.enter('order:1', 33)",
                "DO $$ BEGIN ASSERT current_setting('fencing.token') = '33'; END $$",
                "COMMIT",
                "DO $$ BEGIN ASSERT current_setting('fencing.token') = ''; END $$");
    }

    private String enter(String resource, long token) {
        return database.ask("SELECT (entered, stored_token, transaction_id IS NOT NULL"
                        + " AND transaction_id::xid8 IS NOT NULL)::text FROM fencing.enter('" + resource + "', " + token
                        + ")")
                .replace(",t)", ",true)")
                .replace(",f)", ",false)");
    }
}
