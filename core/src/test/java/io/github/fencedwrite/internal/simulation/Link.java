package io.github.fencedwrite.internal.simulation;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one client has of one node: the network in between, a connection or a probe for one, the quarantine, and the
 * releases that are still to be repeated. By the rules of the client for real nodes: a node without a connection is a
 * no-vote at once; a connection with an answer overdue is closed; a lost release is repeated on new connections until ttl
 * has passed since the node first answered one.
 */
final class Link {

    private static final long DUTY_PAUSE = Conditions.millis(100);
    private static final long ROUNDING = 1_000;
    private static final long FIRST_PROBE_PAUSE = Conditions.millis(25);
    private static final long LONGEST_PROBE_PAUSE = Conditions.millis(5_000);

    final Client client;
    final Server server;
    private final long latency;
    private final Quarantine quarantine;
    private final List<Duty> duties = new ArrayList<>();
    private @Nullable Connection connection;
    private @Nullable Connection second;
    private boolean probing;
    private int failedProbes;
    private boolean dutiesPlanned;
    long cutUntil;
    /** Its client's process is gone. */
    private boolean shut;

    Link(Client client, Server server, long latency, long quarantineMillis) {
        this.client = client;
        this.server = server;
        this.latency = latency;
        this.quarantine = new Quarantine(quarantineMillis);
    }

    /** When something sent now gets to the other side, unless something sent before holds it up. */
    long arrival() {
        World world = client.world;
        long delay = latency + latency * world.random.nextInt(100) / 200;
        if (world.random.nextInt(100) < world.spikePercent) {
            delay += world.random.nextLong(2 * world.conditions.timeout());
        }
        return Math.max(world.agenda.now(), cutUntil) + delay;
    }

    boolean isQuarantined() {
        return quarantine.isActive(client.now());
    }

    /** The connection on which the next command goes, or null. */
    @Nullable Connection connection() {
        return connection;
    }

    /** A connection that goes its own way; only wrong variants ask for it. */
    @Nullable Connection secondConnection() {
        if (connection != null && second == null && server.run() == connection.server.run() && server.up) {
            second = new Connection(this, server);
            server.connections.add(second);
        }
        return second;
    }

    void send(Connection on, @Nullable Exchange exchange, Connection.Recipient sender, Command command) {
        on.send(new Connection.Message(exchange, sender, command, client.now()));
        watch(on);
    }

    /** Waits for the oldest answer. */
    private void watch(Connection on) {
        Connection.Message oldest = on.unread.peek();
        if (!on.watched && oldest != null) {
            on.watched = true;
            long left = oldest.writtenAt() + client.world.conditions.timeout() - client.now();
            client.after(Math.max(left, ROUNDING), () -> look(on));
        }
    }

    private void look(Connection on) {
        on.watched = false;
        Connection.Message oldest = on.unread.peek();
        if (oldest != null && client.now() - oldest.writtenAt() >= client.world.conditions.timeout()) {
            broken(on, "timed out");
        }
        watch(on);
    }

    /** The client's process ends; nobody reads answers any more. */
    void shut() {
        shut = true;
        for (Connection open : new Connection[] {connection, second}) {
            if (open != null) {
                open.closed = true;
            }
        }
        connection = null;
        second = null;
    }

    void broken(Connection which, String why) {
        if (which.closed || shut) {
            return;
        }
        which.closed = true;
        if (which == second) {
            second = null;
        }
        if (which == connection) {
            connection = null;
            client.world.say("client " + client.index + " loses its connection to node " + server.index + ": " + why);
            probeAfter(0);
        }
        Answer failed = new Answer.Failed(new NodeFailure(NodeFailure.Reason.CONNECTION_LOST, why), true);
        for (Connection.Message message = which.unread.poll(); message != null; message = which.unread.poll()) {
            message.sender().answered(server.index, message.command(), failed);
        }
    }

    void probeAfter(long pause) {
        if (!probing) {
            probing = true;
            client.after(pause, this::probe);
        }
    }

    private void probe() {
        client.world.agenda.at(arrival(), () -> {
            if (!server.up || server.isFrozen()) {
                client.whenRunning(this::probeFailed);
            } else {
                Connection opened = new Connection(this, server);
                server.connections.add(opened);
                int run = server.run();
                long uptime = server.uptimeSeconds();
                client.world.agenda.at(arrival(), () -> client.whenRunning(() -> adopt(opened, run, uptime)));
            }
        });
    }

    private void probeFailed() {
        failedProbes++;
        probing = false;
        long pause = Math.min(LONGEST_PROBE_PAUSE, FIRST_PROBE_PAUSE << Math.min(failedProbes, 10));
        probeAfter(pause / 2 + client.world.random.nextLong(pause / 2 + 1));
    }

    private void adopt(Connection opened, int run, long uptime) {
        probing = false;
        if (connection != null || shut) {
            opened.closed = true;
            return;
        }
        quarantine.seen(run, uptime, client.now());
        if (opened.dead) {
            opened.closed = true;
            probeFailed();
            return;
        }
        failedProbes = 0;
        connection = opened;
        planDuties(0);
    }

    /** The world is whole again: back-off is of no interest for the checks. */
    void probeNow() {
        failedProbes = 0;
        if (connection == null) {
            probing = true;
            client.after(0, this::probe);
        }
    }

    /** Whatever is left to be released runs out by itself from here on: saves time, and the checks do not rely on it. */
    void forgetDuties() {
        duties.clear();
    }

    void ensureReleased(Exchange exchange, Command.Release release) {
        if (client.world.variant != Variant.RELEASE_ONCE) {
            duties.add(new Duty(exchange, release));
            planDuties(0);
        }
    }

    private void planDuties(long pause) {
        if (!dutiesPlanned && !duties.isEmpty() && connection != null) {
            dutiesPlanned = true;
            client.after(pause, this::fulfilDuties);
        }
    }

    private void fulfilDuties() {
        dutiesPlanned = false;
        duties.removeIf(Duty::isOver);
        for (Duty duty : List.copyOf(duties)) {
            Connection on = connection;
            if (on != null && !duty.asked) {
                duty.asked = true;
                send(on, duty.exchange, duty, duty.release);
            }
        }
        planDuties(DUTY_PAUSE);
    }

    /** A release that is repeated. */
    private final class Duty implements Connection.Recipient {

        final Exchange exchange;
        final Command.Release release;
        boolean asked;
        private boolean answered;
        private long firstAnswer;

        Duty(Exchange exchange, Command.Release release) {
            this.exchange = exchange;
            this.release = release;
        }

        boolean isOver() {
            return answered && client.now() - firstAnswer > Conditions.millis(exchange.ttlMillis);
        }

        @Override
        public void answered(int index, Command command, Answer answer) {
            asked = false;
            if (!(answer instanceof Answer.Failed) && !answered) {
                answered = true;
                firstAnswer = client.now();
            }
        }
    }
}
