package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import io.github.fencedwrite.migrations.FencingMigrations;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Token and limits: what a section sets is gone when it is left, however it ends, and never exceeds what the session allows. */
@Tag("contract")
class NestedSectionIT {

    private static final TestLease OUTER = new TestLease("order:1", 7, Duration.ofHours(2));
    private static final TestLease INNER = new TestLease("sku:4711", 9, Duration.ofMinutes(20));

    private final InventoryFixture inventory = new InventoryFixture();
    private final FencedTransactions fencing = Fencing.of(inventory.jdbi);

    @BeforeEach
    void install() {
        FencingMigrations.on(inventory.database.dataSource()).install();
    }

    private static Map<String, Object> settings(Handle handle) {
        return handle.createQuery("SELECT current_setting('fencing.token', true) AS token,"
                        + " current_setting('lock_timeout')::interval::text AS lock,"
                        + " current_setting('statement_timeout')::interval::text AS statement,"
                        + " current_setting('idle_in_transaction_session_timeout')::interval::text AS idle")
                .mapToMap()
                .one();
    }

    private static void fail(Handle handle) {
        handle.execute("DO $$ BEGIN RAISE EXCEPTION 'no'; END $$");
    }

    @Test
    void givesTokenAndLimitsBackHoweverItEnds() {
        for (FencedTransactions inner : List.of(fencing, fencing.withoutFenceRow())) {
            fencing.useTransaction(OUTER, handle -> {
                Map<String, Object> before = settings(handle);
                assertThat(before.get("token")).isEqualTo("7");
                inner.useTransaction(INNER, same -> assertThat(settings(same)).isNotEqualTo(before));
                assertThat(settings(handle)).as("returned").isEqualTo(before);
                assertThatThrownBy(() -> inner.useTransaction(INNER, same -> {
                            throw new IllegalStateException("no");
                        }))
                        .hasMessage("no");
                assertThat(settings(handle)).as("thrown").isEqualTo(before);
                assertThatThrownBy(() -> inner.useTransaction(INNER, same -> {
                            same.savepoint("inside");
                            fail(same);
                        }))
                        .isNotNull();
                handle.rollbackToSavepoint("inside");
                assertThat(settings(handle))
                        .as("failed, and rolled back to a savepoint of its own")
                        .isEqualTo(before);
                handle.savepoint("outside");
                assertThatThrownBy(() -> inner.useTransaction(INNER, NestedSectionIT::fail))
                        .isNotNull();
                handle.rollbackToSavepoint("outside");
                assertThat(settings(handle)).as("failed, and rolled back").isEqualTo(before);
            });
        }
    }

    @Test
    void outermostSectionThatEndsHasTheLastWord() {
        TestLease middle = new TestLease("order:2", 8, Duration.ofHours(1));
        fencing.useTransaction(OUTER, handle -> {
            Map<String, Object> before = settings(handle);
            fencing.useTransaction(middle, same -> {
                same.savepoint("inside");
                assertThatThrownBy(() -> fencing.useTransaction(INNER, NestedSectionIT::fail))
                        .isNotNull();
                same.rollbackToSavepoint("inside");
            });
            assertThat(settings(handle)).isEqualTo(before);
        });
    }

    @Test
    void sectionAfterOneThatFailedHasItsOwnTokenAndLimits() {
        TestLease second = new TestLease("sku:4712", 8, Duration.ofHours(1));
        fencing.useTransaction(OUTER, handle -> {
            Map<String, Object> before = settings(handle);
            handle.savepoint("first");
            assertThatThrownBy(() -> fencing.useTransaction(INNER, NestedSectionIT::fail))
                    .isNotNull();
            handle.rollbackToSavepoint("first");
            fencing.useTransaction(
                    second,
                    same -> assertThat(settings(same))
                            .containsEntry("token", "8")
                            .doesNotContainEntry("statement", before.get("statement")));
            assertThat(settings(handle)).isEqualTo(before);
        });
    }

    @Test
    void smallerTokenOfResourceThatIsNewIsAnnounced() {
        TestLease smaller = new TestLease("sku:new", 5, Duration.ofHours(1));
        fencing.useTransaction(OUTER, handle -> {
            for (int i = 0; i < 2; i++) {
                fencing.useTransaction(
                        smaller, same -> assertThat(settings(same)).containsEntry("token", "5"));
            }
            assertThat(settings(handle)).containsEntry("token", "7");
        });
    }

    @Test
    void givesBackWhatTransactionOfTheCallerHad() {
        for (FencedTransactions inner : List.of(fencing, fencing.withoutFenceRow())) {
            inventory.jdbi.useTransaction(handle -> {
                handle.execute("SET LOCAL statement_timeout = '1h'");
                Map<String, Object> before = settings(handle);
                inner.useTransaction(INNER, same -> {
                    assertThat(settings(same)).isNotEqualTo(before);
                });
                Map<String, Object> after = settings(handle);
                assertThat(after.get("token")).isIn("", null);
                after.put("token", before.get("token"));
                assertThat(after).isEqualTo(before);
            });
        }
    }

    @Test
    void stampsWhatFollowsOnStrictTableWithTheOuterToken() {
        inventory.jdbi.useHandle(handle -> handle.execute(
                "SELECT fencing.protect('public.inventory'); SELECT fencing.enforce('public.inventory', 'strict')"));
        fencing.useTransaction(OUTER, handle -> {
            assertThatThrownBy(() -> fencing.useTransaction(INNER, same -> {
                        throw new IllegalStateException("no");
                    }))
                    .hasMessage("no");
            handle.execute("UPDATE inventory SET stock = 1 WHERE sku = '4711'");
        });
        assertThat(inventory.jdbi.<Long, RuntimeException>withHandle(
                        handle -> handle.createQuery("SELECT last_token FROM inventory WHERE sku = '4711'")
                                .mapTo(Long.class)
                                .one()))
                .isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1ms", "1s", "2s", "10min"})
    void smallerLimitsOfTheSessionStay(String limit) {
        for (String name : List.of("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")) {
            if (limit.equals("1ms") && !name.equals("lock_timeout")) {
                continue; // too little to do anything in
            }
            for (FencedTransactions each : List.of(fencing, fencing.withoutFenceRow())) {
                inventory.jdbi.useHandle(handle -> {
                    handle.execute("SET " + name + " = '" + limit + "'");
                    each.useTransaction(
                            INNER,
                            same -> assertThat(same.createQuery("SHOW " + name)
                                            .mapTo(String.class)
                                            .one())
                                    .isEqualTo(limit));
                    handle.execute("RESET " + name);
                    each.useTransaction(
                            INNER,
                            same -> assertThat(same.createQuery("SELECT current_setting('" + name
                                                    + "')::interval BETWEEN '10 min' AND '20 min'")
                                            .mapTo(Boolean.class)
                                            .one())
                                    .isTrue());
                });
            }
        }
    }

    @Test
    void leaseOfManyDaysIsWithinTheRangeOfTheServer() {
        TestLease monthly = new TestLease("sku:4711", 9, Duration.ofDays(30));
        for (FencedTransactions each : List.of(fencing, fencing.withoutFenceRow())) {
            each.useTransaction(
                    monthly,
                    handle -> assertThat(settings(handle).get("statement")).isEqualTo("596:31:23.647"));
        }
    }

    @Test
    void releasedLeaseBeginsNothing() {
        TestLease lease = TestLease.of("sku:4711", 9);
        lease.close();
        for (FencedTransactions each : List.of(fencing, fencing.withoutFenceRow())) {
            assertThatThrownBy(() -> each.useTransaction(lease, handle -> {}))
                    .isInstanceOf(InsufficientValidityException.class);
            assertThatThrownBy(() -> inventory.jdbi.useTransaction(outer -> each.useTransaction(lease, handle -> {})))
                    .isInstanceOf(InsufficientValidityException.class);
            assertThatThrownBy(() -> each.inTransaction(List.of(OUTER, lease), handle -> 1))
                    .isInstanceOf(InsufficientValidityException.class);
        }
    }

    @Test
    void severalResourcesAreEnteredInTheirOrderAndAnnounceNoToken() {
        inventory.jdbi.useHandle(handle -> handle.execute(
                "SELECT fencing.protect('public.inventory'); SELECT fencing.enforce('public.inventory', 'strict')"));
        fencing.inTransaction(List.of(OUTER, INNER), handle -> {
            assertThat(settings(handle).get("token")).isEqualTo("");
            assertThat(handle.createQuery("SELECT array_agg(last_token ORDER BY last_token)::text FROM fencing.fence"
                                    + " WHERE resource IN ('order:1', 'sku:4711')")
                            .mapTo(String.class)
                            .one())
                    .isEqualTo("{7,9}");
            return null;
        });
        assertThatThrownBy(() -> fencing.inTransaction(
                        List.of(OUTER, INNER), handle -> handle.execute("UPDATE inventory SET stock = 1")))
                .as("a token of which of the two?")
                .isInstanceOf(NotAnnouncedException.class);
        assertThatThrownBy(() -> fencing.inTransaction(
                        List.of(OUTER, new TestLease("sku:4711", 8, Duration.ofMinutes(1))), handle -> 1))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("resource=sku:4711");
        assertThatThrownBy(() -> fencing.inTransaction(List.of(), handle -> 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readOnlySessionIsToldOnEveryLevel() {
        inventory.jdbi.useHandle(handle -> {
            handle.execute("SET default_transaction_read_only = on");
            try {
                for (FencedTransactions each : List.of(fencing, fencing.withoutFenceRow())) {
                    assertThatThrownBy(() ->
                                    each.useTransaction(INNER, same -> same.execute("UPDATE inventory SET stock = 1")))
                            .isInstanceOf(ReadOnlyDatabaseException.class)
                            .hasMessageContaining("25006");
                }
                assertThatThrownBy(() -> Fencing.fence(
                                        handle.createUpdate("UPDATE inventory SET stock = 1 WHERE sku = '4711'"),
                                        FencingToken.of(9))
                                .execute())
                        .isInstanceOf(ReadOnlyDatabaseException.class);
                assertThatThrownBy(() -> Fencing.claim(
                                        handle.createQuery("SELECT stock FROM inventory WHERE sku = '4711'"),
                                        FencingToken.of(9))
                                .query()
                                .mapTo(Integer.class)
                                .one())
                        .isInstanceOf(ReadOnlyDatabaseException.class);
                assertThatThrownBy(() -> FencedJdbc.on(handle.getConnection())
                                .update("UPDATE inventory SET stock = 1 WHERE sku = '4711'", FencingToken.of(9)))
                        .isInstanceOf(ReadOnlyDatabaseException.class);
            } finally {
                handle.execute("SET default_transaction_read_only = off");
            }
        });
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }

    @Test
    void userWithoutAccessIsToldWhatToGrant() {
        String role = "stranger_" + Long.toHexString(System.nanoTime());
        inventory.jdbi.useHandle(handle -> handle.execute("CREATE ROLE " + role));
        try {
            inventory.jdbi.useHandle(handle -> {
                handle.execute("SET ROLE " + role);
                try {
                    assertThatThrownBy(() -> fencing.useTransaction(INNER, same -> {}))
                            .isInstanceOf(TableNotReadyException.class)
                            .hasMessageContaining("grant_access");
                } finally {
                    handle.execute("RESET ROLE");
                }
                handle.execute("SELECT fencing.grant_access('" + role + "')");
                handle.execute("SET ROLE " + role);
                fencing.useTransaction(INNER, same -> {});
                handle.execute("RESET ROLE");
                handle.execute("DROP OWNED BY " + role);
            });
        } finally {
            inventory.jdbi.useHandle(handle -> handle.execute("DROP ROLE " + role));
        }
    }

    /** Valid for half a second at a time, and renewed for a minute. */
    private static TestLease renewed() {
        return new TestLease("sku:4711", 9, Duration.ofMillis(500)) {
            private final long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();

            @Override
            public Duration remaining() {
                return ttl();
            }

            @Override
            public Duration remainingLifetime() {
                return Duration.ofNanos(end - System.nanoTime());
            }
        };
    }

    @Test
    void statementMayLastAsLongAsTheLeaseCan() {
        for (FencedTransactions each : List.of(fencing, fencing.withoutFenceRow())) {
            each.useTransaction(renewed(), handle -> {
                handle.execute("SELECT pg_sleep(1)");
                assertThat(settings(handle).get("idle")).isEqualTo("00:00:00.5");
            });
        }
    }

    @Test
    void limitThatEndedTheTransactionIsNamed() {
        TestLease shortLease = new TestLease("sku:4711", 9, Duration.ofMillis(500));
        assertThatThrownBy(() -> fencing.useTransaction(shortLease, handle -> handle.execute("SELECT pg_sleep(5)")))
                .isInstanceOf(RetryableWriteException.class)
                .hasMessageContaining("57014")
                .hasMessageContaining("statement_timeout")
                .hasMessageContaining("lease");
    }
}
