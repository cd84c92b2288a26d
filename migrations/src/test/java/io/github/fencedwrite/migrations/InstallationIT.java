package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Installing the schema by a call on a data source. */
@Tag("contract")
class InstallationIT {

    @Test
    void installsOnceAndThenOnlyReads() {
        TestDatabase database = TestDatabase.fresh();

        assertThat(FencingMigrations.on(database.dataSource()).install())
                .isEqualTo(new InstallResult(1, List.of("V1__fencing_schema.sql", "R__fencing_functions.sql")));
        assertThat(FencingMigrations.on(database.dataSource()).install()).isEqualTo(new InstallResult(1, List.of()));
    }

    @RepeatedTest(20)
    void twoInstancesMayStartAtOnce() throws Exception {
        TestDatabase database = TestDatabase.fresh();
        CyclicBarrier start = new CyclicBarrier(2);
        Callable<InstallResult> instance = () -> {
            start.await();
            return FencingMigrations.on(database.dataSource()).install();
        };
        ExecutorService instances = Executors.newFixedThreadPool(2);
        try {
            Future<InstallResult> one = instances.submit(instance);
            Future<InstallResult> two = instances.submit(instance);

            assertThat(List.of(one.get().applied().size(), two.get().applied().size()))
                    .containsExactlyInAnyOrder(0, 2);
        } finally {
            instances.shutdownNow();
        }
    }
}
