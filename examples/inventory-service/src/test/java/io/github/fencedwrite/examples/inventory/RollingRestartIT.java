package io.github.fencedwrite.examples.inventory;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;

/**
 * Two instances, each a process of its own, are replaced one after the other under load, as a deployment does it.
 * Requests that run are finished; what is refused is repeated at the other instance. No reservation is lost, none is
 * sold twice.
 */
class RollingRestartIT {

    private static final List<String> SKUS = List.of("one", "two", "three");
    private static final int STOCK = 1_000;
    private static final int WORK_BETWEEN = 10;

    @Test
    void losesNothing() throws Exception {
        try (Fixture fixture = Fixture.create();
                InstanceProcess one = InstanceProcess.start(fixture.environment());
                InstanceProcess two = InstanceProcess.start(fixture.environment())) {
            AtomicReferenceArray<Api> instances = new AtomicReferenceArray<>(new Api[] {one.api(), two.api()});
            ready(instances.get(0));
            ready(instances.get(1));
            SKUS.forEach(sku -> fixture.stock(instances.get(0), "berlin", sku, STOCK));
            try (LoadedClients clients = new LoadedClients(n -> instances.get(n % 2), SKUS, 2)) {
                workGoesOn(clients);
                one.terminate();
                workGoesOn(clients);
                try (InstanceProcess newOne = InstanceProcess.start(fixture.environment())) {
                    instances.set(0, newOne.api());
                    ready(instances.get(0));
                    two.terminate();
                    workGoesOn(clients);
                    try (InstanceProcess newTwo = InstanceProcess.start(fixture.environment())) {
                        instances.set(1, newTwo.api());
                        ready(instances.get(1));
                        workGoesOn(clients);

                        Map<String, String> told = clients.stop();

                        System.out.println(
                                told.size() + " reservations, " + clients.repetitions() + " requests repeated");
                        Books.assertBalance(fixture, told, STOCK);
                    }
                }
            }
        }
    }

    private static void ready(Api api) {
        await().atMost(Duration.ofMinutes(1)).until(() -> api.get("/ready").status() == 200);
    }

    private static void workGoesOn(LoadedClients clients) {
        int before = clients.done();
        await().atMost(Duration.ofMinutes(2)).until(() -> clients.done() >= before + WORK_BETWEEN);
    }
}
