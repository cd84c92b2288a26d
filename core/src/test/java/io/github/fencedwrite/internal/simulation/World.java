package io.github.fencedwrite.internal.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One schedule: nodes, clients, networks and clocks, all decided by one seed. Each phase has a time of activity with faults;
 * then everything works again, and what was left behind has to vanish.
 */
final class World {

    static final long WALL_START = TimeUnit.DAYS.toNanos(20_000);
    /** Half of the drift allowance of 1 %, and a little less. */
    private static final double LARGEST_DRIFT = 0.0045;

    private static final long QUARANTINE_SLACK = Conditions.millis(1_100);

    final long seed;
    final Variant variant;
    final Trace trace;
    final Agenda agenda = new Agenda();
    final SplittableRandom random;
    final Conditions conditions;
    final Server[] servers;
    final Client[] clients;
    final List<Exchange> exchanges = new ArrayList<>();
    final Checker checker;
    private final Nemesis nemesis;
    int spikePercent;
    private int lossPerMille;
    private boolean busy;

    World(long seed, Variant variant, boolean traced) {
        this.seed = seed;
        this.variant = variant;
        this.trace = new Trace(traced);
        this.random = new SplittableRandom(seed);
        this.conditions = Conditions.draw(random);
        this.checker = new Checker(this);
        this.servers = IntStream.range(0, conditions.nodes())
                .mapToObj(i -> new Server(
                        this, i, new Clock(WALL_START + random.nextLong(1_000_000_000L), speed()), variant.nodeRule))
                .toArray(Server[]::new);
        this.clients = IntStream.range(0, conditions.clients())
                .mapToObj(i -> new Client(this, i, new Clock(random.nextLong(), speed()), wallClock()))
                .toArray(Client[]::new);
        this.nemesis = new Nemesis(this);
    }

    private Stream<Link> links() {
        return Arrays.stream(clients).flatMap(client -> Arrays.stream(client.links));
    }

    private double speed() {
        return 1 + LARGEST_DRIFT * (random.nextInt(3) - 1);
    }

    private Clock wallClock() {
        long off = conditions.wallClocksAgree()
                ? random.nextLong(Conditions.millis(2))
                : random.nextLong(TimeUnit.DAYS.toNanos(300));
        checker.wallClockIsOffBy(off);
        return new Clock(WALL_START + off, 1);
    }

    Link[] newLinks(Client client) {
        return IntStream.range(0, servers.length)
                .mapToObj(i -> new Link(client, servers[i], latency(), quarantineMillis()))
                .toArray(Link[]::new);
    }

    private long latency() {
        return random.nextInt(6) == 0 ? random.nextLong(conditions.timeout() / 4) : 50_000 + random.nextLong(2_000_000);
    }

    private long quarantineMillis() {
        return variant == Variant.NO_QUARANTINE ? 0 : conditions.maxTtlMillis();
    }

    /** Whether clients are to begin something new. */
    boolean isBusy() {
        return busy;
    }

    boolean losesConnection() {
        return lossPerMille > 0 && random.nextInt(1_000) < lossPerMille;
    }

    void say(String line) {
        trace.add(agenda.now(), line);
    }

    /** Plays the schedule; empty if every promise was kept, else which was not. */
    String play() {
        say("schedule " + seed + ", " + variant + ": " + conditions);
        try {
            for (Client client : clients) {
                client.connect();
            }
            for (int phase = 0; phase < conditions.phases(); phase++) {
                act();
                heal();
                agenda.runUntil(agenda.now() + timeToSettle());
                checker.settled();
                links().forEach(Link::forgetDuties);
                agenda.runUntil(agenda.now() + timeToRunOut());
                checker.locksRanOut();
                if (phase == conditions.phases() - 1 || random.nextInt(4) == 0) {
                    agenda.runUntil(agenda.now()
                            + Conditions.millis(conditions.retentionMillis()) * 102 / 100
                            + timeToRunOut());
                    checker.nothingIsLeft();
                }
                agenda.runUntil(agenda.now() + QUARANTINE_SLACK);
            }
            return "";
        } catch (Violation violation) {
            return violation.getMessage();
        }
    }

    private void act() {
        spikePercent = random.nextInt(6);
        lossPerMille = conditions.lossPerMille();
        busy = true;
        for (Client client : clients) {
            client.think();
        }
        long end = agenda.now() + conditions.activity();
        nemesis.plan(end);
        if (conditions.frantic()) {
            nemesis.planFrenzy(end);
        }
        agenda.runUntil(end);
        busy = false;
    }

    private void heal() {
        say("all is well from here on");
        spikePercent = 0;
        lossPerMille = 0;
        for (Server server : servers) {
            if (!server.up) {
                server.start(Server.Data.KEPT);
            }
            if (server.counter() < 0) {
                server.forgetCounter();
            }
        }
        links().forEach(Link::probeNow);
        for (Client client : clients) {
            client.finish();
        }
    }

    /** The largest ttl by the slowest clock; a clock that was put back adds what it was put back by. */
    private long timeToRunOut() {
        long ttl = Conditions.millis(conditions.maxTtlMillis() + 10L) * 102 / 100;
        return conditions.nodeClocksJump() ? ttl + 2L * conditions.faults() * ttl : ttl;
    }

    /** Answers on their way, a connection that turns out to be broken, a new one, a repeated release and its answer. */
    private long timeToSettle() {
        return 6 * conditions.timeout() + Conditions.millis(300);
    }
}
