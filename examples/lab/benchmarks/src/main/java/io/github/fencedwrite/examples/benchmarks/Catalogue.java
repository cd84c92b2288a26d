package io.github.fencedwrite.examples.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** All comparisons there are, in the order in which they are run. */
final class Catalogue {

    private Catalogue() {}

    /** Those that a few minutes are enough for. */
    static List<Comparison> quick() {
        List<Comparison> all = new ArrayList<>();
        all.addAll(AgainstFloor.comparisons());
        all.addAll(Weather.comparisons());
        all.addAll(OtherPeers.comparisons());
        all.addAll(RedissonPeers.comparisons());
        all.addAll(Contention.comparisons());
        all.addAll(GuardedWrites.comparisons());
        all.addAll(GuardedWrites.withOtherWays());
        all.addAll(EnforcedWrites.comparisons());
        all.addAll(Reservations.comparisons());
        return all;
    }

    /** All. */
    static List<Comparison> full() {
        List<Comparison> all = new ArrayList<>(quick());
        all.add(OtherPeers.floorAgainstSequential());
        all.addAll(Burden.comparisons());
        all.addAll(Scaling.comparisons());
        return all;
    }

    /**
     * The comparisons of that name.
     *
     * @param name of one comparison, of several by what their names begin with ({@code scaling}), or {@code quick} or
     *     {@code full}
     * @throws IllegalArgumentException if there is none
     */
    static List<Comparison> named(String name) {
        List<Comparison> found = switch (name) {
            case "quick" -> quick();
            case "full" -> full();
            default -> matching(name);
        };
        if (found.isEmpty()) {
            throw new IllegalArgumentException("There is no comparison " + name + "; there are quick, full, "
                    + String.join(", ", full().stream().map(Comparison::name).toList()));
        }
        return found;
    }

    private static List<Comparison> matching(String name) {
        List<Comparison> exact =
                full().stream().filter(each -> each.name().equals(name)).toList();
        return exact.isEmpty()
                ? full().stream()
                        .filter(each -> each.name().startsWith(name + "-"))
                        .toList()
                : exact;
    }
}
