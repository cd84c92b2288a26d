package io.github.fencedwrite.examples.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.fencedwrite.examples.servers.Data;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Two instances sell while PostgreSQL and the nodes are killed and restarted: no reservation is lost, none is sold
 * twice.
 */
class RestartsUnderLoadIT {

    private static final List<String> SKUS = List.of("one", "two", "three");
    private static final int STOCK = 1_000;
    private static final int WORK_BETWEEN = 8;

    @Test
    void loseNothing() throws Exception {
        try (Fixture fixture = Fixture.withOwnPostgres(5)) {
            List<Api> instances = List.of(fixture.start(), fixture.start());
            SKUS.forEach(sku -> fixture.stock(instances.get(0), "berlin", sku, STOCK));
            try (LoadedClients clients = new LoadedClients(n -> instances.get(n % 2), SKUS, 1)) {
                workGoesOn(clients);
                fixture.postgres.restart();
                workGoesOn(clients);
                fixture.nodes.get(0).restart(Data.KEPT);
                fixture.nodes.get(1).restart(Data.LOST);
                workGoesOn(clients);
                fixture.nodes.get(2).pause(); // three of five can still vote, then four, then all
                fixture.postgres.restart();
                fixture.nodes.get(2).resume();
                workGoesOn(clients);
                await().atMost(Duration.ofMinutes(1))
                        .until(() ->
                                instances.get(0).get("/health").string("status").equals("UP"));
                fixture.nodes.all().subList(2, 5).forEach(node -> node.kill()); // no quorum at all
                fixture.nodes.all().subList(2, 5).forEach(node -> node.restart(Data.KEPT));
                workGoesOn(clients);

                Map<String, String> told = clients.stop();

                System.out.println(told.size() + " reservations, " + clients.repetitions() + " requests repeated");
                assertThat(clients.repetitions()).isPositive();
                Books.assertBalance(fixture, told, STOCK);
            }
        }
    }

    private static void workGoesOn(LoadedClients clients) {
        int before = clients.done();
        await().atMost(Duration.ofMinutes(2)).until(() -> clients.done() >= before + WORK_BETWEEN);
    }
}
