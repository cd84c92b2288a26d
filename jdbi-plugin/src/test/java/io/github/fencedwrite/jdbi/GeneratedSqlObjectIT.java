package io.github.fencedwrite.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.fencedwrite.FencingToken;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.extension.Extensions;
import org.jdbi.v3.sqlobject.UnableToCreateSqlObjectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SQL Objects with {@code @GenerateSqlObject}, which Jdbi calls without a proxy. */
class GeneratedSqlObjectIT {

    private final InventoryFixture inventory = new InventoryFixture();

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }

    private interface Body {
        Object with(GeneratedDao dao);
    }

    private enum Way {
        ATTACH,
        ON_DEMAND,
        WITH_EXTENSION;

        Object use(Jdbi jdbi, Body body) {
            return switch (this) {
                case ATTACH -> jdbi.withHandle(handle -> body.with(handle.attach(GeneratedDao.class)));
                case ON_DEMAND -> body.with(jdbi.onDemand(GeneratedDao.class));
                case WITH_EXTENSION -> jdbi.withExtension(GeneratedDao.class, body::with);
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void runsTheGeneratedClass(Way way) {
        inventory.jdbi.getConfig(Extensions.class).setAllowProxy(false);
        assertThat(way.use(inventory.jdbi, Object::getClass))
                .isEqualTo(way == Way.ON_DEMAND ? GeneratedDaoImpl.OnDemand.class : GeneratedDaoImpl.class);
    }

    @ParameterizedTest
    @EnumSource
    void guardsHoweverItIsAttached(Way way) {
        Jdbi jdbi = inventory.jdbi;
        assertThat(way.use(jdbi, dao -> dao.set("4711", 5, token(8)))).isEqualTo(1);
        assertThat(way.use(jdbi, dao -> dao.set("none", 5, token(8)))).isEqualTo(0);
        assertThatThrownBy(() -> way.use(jdbi, dao -> dao.set("4711", 6, token(7))))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("inventory(sku=4711)");
        assertThatThrownBy(() -> way.use(jdbi, dao -> dao.claim("4711", token(7))))
                .isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> way.use(jdbi, dao -> dao.sell("4711", 1, token(7))))
                .isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> way.use(
                        jdbi, dao -> dao.setAll(List.of("4712", "4711"), List.of(1, 6), List.of(token(1), token(7)))))
                .isInstanceOf(StaleTokenException.class);
        assertThat(inventory.stock("4711")).isEqualTo(5);
        assertThat(inventory.stock("4712")).as("rolled back").isEqualTo(20);

        assertThat(way.use(jdbi, dao -> dao.sell("4711", 2, token(9)))).isEqualTo(3);
        assertThat(inventory.stock("4711")).isEqualTo(3);
        assertThatThrownBy(() -> way.use(jdbi, dao -> dao.set("4711", 6, token(8))))
                .isInstanceOf(StaleTokenException.class);
    }

    @Test
    void writeWithoutItsClaimIsRefused() {
        assertThatThrownBy(() -> inventory.jdbi.onDemand(GeneratedDao.class).take("4711", 1, token(8)))
                .isInstanceOf(NotClaimedException.class);
        assertThat(inventory.stock("4711")).isEqualTo(10);
    }

    @Test
    void methodWithBodyMayTakeThePlaceOfGuardedOne() {
        Class<?> delegating = MisplacedInGenerated.Delegating.class;
        assertThat(inventory.jdbi.<Object, RuntimeException>withHandle(handle -> handle.attach(delegating)))
                .isEqualTo("not refused");
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                MisplacedInGenerated.OnDefault.class,
                MisplacedInGenerated.Unguarded.class,
                MisplacedInGenerated.NoToken.class,
                MisplacedInGenerated.ClaimOnUpdate.class,
                MisplacedInGenerated.Outcome.class,
                MisplacedInGenerated.Outcomes.class,
                MisplacedInGenerated.Forgetful.class
            })
    void refusesWrongPlacementsWhenAttached(Class<?> type) {
        assertThatThrownBy(() -> inventory.jdbi.useHandle(handle -> handle.attach(type)))
                .isInstanceOf(UnableToCreateSqlObjectException.class)
                .hasMessageContaining(type.getSimpleName() + ".")
                .hasMessageFindingMatch("@Fenced|@Claim|WriteOutcome");
    }
}
