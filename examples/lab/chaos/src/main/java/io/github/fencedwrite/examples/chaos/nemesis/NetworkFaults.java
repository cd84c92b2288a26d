package io.github.fencedwrite.examples.chaos.nemesis;

import static io.github.fencedwrite.examples.chaos.nemesis.FaultSource.millis;
import static io.github.fencedwrite.examples.chaos.nemesis.FaultSource.pick;

import io.github.fencedwrite.examples.servers.CommandFault;
import io.github.fencedwrite.examples.servers.Cut;
import io.github.fencedwrite.examples.servers.Proxy;
import io.github.fencedwrite.examples.servers.ReplyFault;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** What happens between workers and nodes: connections are cut, refused, mute, slow, and single messages are lost. */
final class NetworkFaults implements FaultSource {

    private static final int NEXT_MESSAGES = 5;

    private final List<Site> sites;

    NetworkFaults(List<Site> sites) {
        this.sites = sites;
    }

    @Override
    public Fault draw(Random random) {
        int i = random.nextInt(sites.size());
        Proxy proxy = sites.get(i).proxy();
        Set<String> target = Set.of("node-" + i);
        Duration lasts = millis(random, 100, 2_500);
        int k = 1 + random.nextInt(NEXT_MESSAGES);
        return switch (random.nextInt(7)) {
            case 0 -> {
                Cut how = pick(List.of(Cut.values()), random);
                yield fault("cut connections", target, Duration.ZERO, () -> proxy.cut(how), Fault.NOTHING);
            }
            case 1 ->
                fault(
                        "cut and refuse connections",
                        target,
                        lasts,
                        () -> {
                            proxy.refuse();
                            proxy.cut(Cut.RESET);
                        },
                        proxy::open);
            case 2 -> fault("mute connections", target, lasts, proxy::mute, proxy::open);
            case 3 -> fault("mute replies", target, lasts, proxy::muteReplies, proxy::open);
            case 4 -> {
                Duration there = millis(random, 0, 150);
                Duration back = millis(random, 0, 150);
                yield fault("delay", target, lasts, () -> proxy.delay(there, back), () -> proxy.delay(Duration.ZERO));
            }
            case 5 -> {
                CommandFault how = pick(List.of(CommandFault.values()), random);
                yield fault("lose command", target, Duration.ZERO, () -> proxy.failCommand(k, how), Fault.NOTHING);
            }
            default -> {
                ReplyFault how = pick(List.of(ReplyFault.values()), random);
                yield fault("lose reply", target, Duration.ZERO, () -> proxy.failReply(k, how), Fault.NOTHING);
            }
        };
    }

    private static Fault fault(String name, Set<String> target, Duration lasts, Runnable strike, Runnable heal) {
        return new Fault(name, target, Set.of(), lasts, strike, heal);
    }
}
