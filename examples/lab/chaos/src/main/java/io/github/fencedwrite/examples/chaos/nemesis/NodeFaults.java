package io.github.fencedwrite.examples.chaos.nemesis;

import static io.github.fencedwrite.examples.chaos.nemesis.FaultSource.millis;

import io.github.fencedwrite.examples.servers.Data;
import io.github.fencedwrite.examples.servers.RedisNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** What happens to servers: they stop, die, come back with all, with old or with no data, and their clocks jump. */
final class NodeFaults implements FaultSource {

    private static final int CLOCK_JUMP_SECONDS = 600;
    private static final int MAJORITY_OF_HUNDRED = 3;

    private final List<Site> sites;

    NodeFaults(List<Site> sites) {
        this.sites = sites;
        sites.forEach(site -> site.node().saveSnapshot());
    }

    @Override
    public Fault draw(Random random) {
        if (random.nextInt(100) < MAJORITY_OF_HUNDRED) {
            return majorityForgets(random);
        }
        int i = random.nextInt(sites.size());
        Site site = sites.get(i);
        RedisNode node = site.node();
        Set<String> target = Set.of("node-" + i);
        return switch (random.nextInt(7)) {
            case 0 -> new Fault("stop node", target, Set.of(), millis(random, 100, 3_000), node::pause, node::resume);
            case 1 -> death(target, Set.of(), node, Data.KEPT, random);
            case 2 -> death(target, target, node, Data.LOST, random);
            case 3 -> death(target, target, node, Data.SNAPSHOT, random);
            case 4 -> new Fault("flush node", target, target, Duration.ZERO, site::flush, Fault.NOTHING);
            default -> clockJump(site, target, random);
        };
    }

    private static Fault death(Set<String> target, Set<String> forgets, RedisNode node, Data data, Random random) {
        return new Fault("kill node, data " + data, target, forgets, millis(random, 100, 2_000), node::kill, () -> {
            node.restart(data);
            if (data == Data.KEPT) {
                node.saveSnapshot(); // what it comes back with when it forgets in part
            }
        });
    }

    /** Forward, locks run out at once; back, they last for long. Without the library this is a pause like any other. */
    private static Fault clockJump(Site site, Set<String> target, Random random) {
        Duration jump = Duration.ofSeconds(random.nextInt(2 * CLOCK_JUMP_SECONDS) - CLOCK_JUMP_SECONDS);
        return site.clock()
                .map(clock -> new Fault(
                        "jump clock",
                        target,
                        target,
                        millis(random, 1_500, 5_000),
                        () -> clock.jump(jump),
                        () -> clock.jump(Duration.ZERO)))
                .orElseGet(() -> new Fault(
                        "stop node",
                        target,
                        Set.of(),
                        millis(random, 100, 3_000),
                        site.node()::pause,
                        site.node()::resume));
    }

    /** More than the tokens can bear by themselves: from here on their order rests on clocks, and on the database. */
    private Fault majorityForgets(Random random) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < sites.size(); i++) {
            order.add(i);
        }
        Collections.shuffle(order, random);
        List<Integer> majority = order.subList(0, sites.size() / 2 + 1);
        Set<String> targets = new HashSet<>();
        majority.forEach(i -> targets.add("node-" + i));
        return new Fault(
                "flush majority",
                targets,
                Set.of(), // not counted: this one is meant to go beyond the bound
                Duration.ZERO,
                () -> majority.forEach(i -> sites.get(i).flush()),
                Fault.NOTHING);
    }
}
