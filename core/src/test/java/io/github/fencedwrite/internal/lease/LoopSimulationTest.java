package io.github.fencedwrite.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.SeedMode;
import io.github.fencedwrite.internal.loop.Loop;
import io.github.fencedwrite.internal.protocol.Event;
import io.github.fencedwrite.internal.protocol.OwnerId;
import io.github.fencedwrite.internal.protocol.TimedNode;
import io.github.fencedwrite.internal.protocol.Verdict;
import io.github.fencedwrite.internal.redis.Membership;
import io.github.fencedwrite.internal.redis.Node;
import io.github.fencedwrite.internal.redis.NodeAddress;
import io.github.fencedwrite.internal.redis.NodeLogin;
import io.github.fencedwrite.internal.redis.NodeSettings;
import io.github.fencedwrite.internal.redis.ResourceKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The loop, its connections and the exchanges of leases, as they ship, against simulated servers and a network that does what
 * it likes. Whatever that is: each operation is decided, tokens are unique and grow, no two leases are valid at a time, and
 * when all is well again nothing is left on any server and each knows each token. Replay with -Dseed=N -Dschedules=1.
 */
class LoopSimulationTest {

    private static final long MILLI = 1_000_000;
    private static final long TTL = 4_000;
    private static final long TIMEOUT = 100 * MILLI;

    @Test
    void everyPromiseIsKeptWhateverTheNetworkDoes() {
        long seed = Long.getLong("seed", 0) == 0 ? System.nanoTime() : Long.getLong("seed");
        long schedules = Long.getLong("schedules", 40);
        System.out.println("simulation of the loop: seed " + seed);
        long held = 0;
        for (long i = 0; i < schedules; i++) {
            held += new Schedule(seed + i).play();
        }
        System.out.println("simulation of the loop: " + schedules + " schedules, " + held + " leases");
        assertThat(held).isGreaterThan(schedules);
    }

    private static final class Schedule {

        private final long seed;
        private final SplittableRandom random;
        private final SimulatedNetwork network;
        private final List<Loop> loops = new ArrayList<>();
        private final List<NodeSet> clients = new ArrayList<>();
        private final List<String> undecided = new ArrayList<>();
        private final List<String> broken = new ArrayList<>();
        private final Map<String, TreeSet<Long>> tokens = new HashMap<>();
        private final Map<String, Long> validUntil = new HashMap<>();
        private final Map<String, OwnerId> holders = new HashMap<>();
        private long operations;
        private long leases;

        Schedule(long seed) {
            this.seed = seed;
            this.random = new SplittableRandom(seed);
            int nodes = 1 + 2 * random.nextInt(3);
            this.network = new SimulatedNetwork(random.split(), nodes);
            List<NodeAddress> addresses = IntStream.rangeClosed(1, nodes)
                    .mapToObj(port -> NodeAddress.parse("redis://node:" + port))
                    .toList();
            NodeSettings settings = new NodeSettings(
                    TIMEOUT, 0, 0, Membership.of("p", addresses, TTL, SeedMode.CLOCK), NodeLogin.BY_ADDRESS);
            for (int i = 0; i < 3; i++) {
                Loop loop = new Loop(network, () -> network.now, false);
                List<Node> all = Node.all(addresses, settings, loop);
                loops.add(loop);
                clients.add(new NodeSet(all, loop));
                all.forEach(Node::connect);
            }
        }

        long play() {
            run(50);
            network.hostile = true;
            long end = network.now + 3_000 * MILLI;
            for (int user = 0; user < 6; user++) {
                use(clients.get(user % clients.size()), end);
            }
            for (int i = random.nextInt(12); i > 0; i--) {
                network.at(network.now + random.nextLong(3_000 * MILLI), network::strike);
            }
            run(3_000);
            network.heal();
            // the longest pause of a node that could not be reached, a lost command, and a release repeated after a
            // second
            run(TTL + 2_000);
            assertThat(broken).as("seed %d: broken promises", seed).isEmpty();
            assertThat(undecided)
                    .as("seed %d: operations without a verdict", seed)
                    .isEmpty();
            for (SimulatedRedis server : network.servers) {
                server.resources.forEach((resource, node) -> {
                    node.passTo(network.now / MILLI);
                    assertThat(node.lock())
                            .as("seed %d: lock of %s", seed, resource)
                            .isNull();
                });
            }
            tokens.forEach((resource, all) -> network.servers.forEach(server -> {
                TimedNode node = server.resources.get("p:" + resource);
                assertThat(all.isEmpty() || node == null || node.counter() == 0 || node.counter() >= all.last())
                        .as("seed %d: counter of %s reaches its tokens %s", seed, resource, all)
                        .isTrue();
            }));
            return leases;
        }

        private void run(long millis) {
            long end = network.now + millis * MILLI;
            while (network.now < end) {
                long next = network.next(end);
                for (Loop loop : loops) {
                    next = Math.min(next, loop.nextLook());
                }
                network.now = Math.max(next, network.now + 1_000);
                network.happen();
                loops.forEach(Loop::step);
            }
        }

        /** One user: acquires, holds, extends and releases, and begins again. */
        private void use(NodeSet client, long end) {
            if (network.now >= end) {
                return;
            }
            String resource = "r" + random.nextInt(3);
            OwnerId owner = new OwnerId(String.format("%032x", ++operations));
            LeaseExchange exchange = new LeaseExchange(
                    client, new ResourceKeys("p", resource), owner, TTL, TTL * 10_000 + 2 * MILLI, 1_000_000);
            long begun =
                    tokens.computeIfAbsent(resource, name -> new TreeSet<>()).isEmpty()
                            ? 0
                            : tokens.get(resource).last();
            String name = begin("acquire " + resource);
            client.loop()
                    .submit(() -> exchange.begin(new Event.Begin(), verdict -> {
                        undecided.remove(name);
                        if (verdict instanceof Verdict.Held held) {
                            held(client, resource, owner, exchange, held, begun, end);
                        } else {
                            later(() -> use(client, end));
                        }
                    }));
            if (random.nextBoolean()) {
                network.at(
                        network.now + random.nextLong(300 * MILLI),
                        () -> client.loop().submit(exchange::giveUp));
            }
        }

        private void held(
                NodeSet client,
                String resource,
                OwnerId owner,
                LeaseExchange exchange,
                Verdict.Held held,
                long before,
                long end) {
            leases++;
            // noted, not thrown: the loop survives what is thrown in its steps
            if (!tokens.get(resource).add(held.token())) {
                broken.add("token " + held.token() + " of " + resource + " is not new");
            }
            if (held.token() <= before) {
                broken.add("token " + held.token() + " of " + resource + " is not above " + before);
            }
            if (holders.containsKey(resource) && validUntil.get(resource) > network.now) {
                broken.add("another lease of " + resource + " is valid");
            }
            holders.put(resource, owner);
            validUntil.put(resource, held.validUntil());
            if (random.nextBoolean()) {
                later(() -> extend(client, resource, owner, exchange));
            }
            later(() -> release(client, resource, owner, exchange, end));
        }

        private void extend(NodeSet client, String resource, OwnerId owner, LeaseExchange exchange) {
            String name = begin("extend " + resource);
            client.loop()
                    .submit(() -> exchange.begin(new Event.Extend(), verdict -> {
                        undecided.remove(name);
                        if (verdict instanceof Verdict.Extended extended && owner.equals(holders.get(resource))) {
                            validUntil.put(resource, extended.validUntil());
                        }
                    }));
        }

        private void release(NodeSet client, String resource, OwnerId owner, LeaseExchange exchange, long end) {
            holders.remove(resource, owner);
            String name = begin("release " + resource);
            client.loop()
                    .submit(() -> exchange.begin(new Event.Release(), verdict -> {
                        undecided.remove(name);
                        later(() -> use(client, end));
                    }));
        }

        private String begin(String what) {
            String name = what + " " + ++operations;
            undecided.add(name);
            return name;
        }

        private void later(Runnable what) {
            network.at(network.now + random.nextLong(200 * MILLI), what);
        }
    }
}
