package io.github.fencedwrite.internal.simulation;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.ReleaseResult;
import io.github.fencedwrite.internal.protocol.Action;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Attempt;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.protocol.Event;
import io.github.fencedwrite.internal.protocol.OwnerId;
import io.github.fencedwrite.internal.protocol.Verdict;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * One attempt with the real machine, and what it says to all nodes, by the rules of the client for real nodes. Also notes
 * down what the checks want to know of it; the machine does not see that.
 */
final class Exchange implements Connection.Recipient {

    private final World world;
    final Client client;
    final String name;
    final OwnerId owner;
    final int ttlMillis;
    final long seed;
    /** The servers that the machine knows, by the machine's numbers. */
    private final int[] servers;

    private final Attempt machine;
    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private final boolean[] touched;
    private final boolean[] uncertain;

    // for the checks, in true time
    final long begun;
    final long[] countersAtBegin;
    final long[] grants;
    int moved;
    long heldAt = -1;
    long endedAt = -1;
    long token;
    long lastAcquireExecuted;
    int extendedRound;
    int extendedWhereMine;
    long validUntil;
    /** Refused, lost, released or about to be; or its client is gone. */
    boolean over;

    private boolean releasing;
    /** The machine was not told of the release. */
    private boolean behindItsBack;
    /** Its client is gone and will do nothing more about it. */
    boolean orphaned;

    Exchange(Client client, String name, OwnerId owner, int ttlMillis, long seed, int[] servers) {
        this.client = client;
        this.world = client.world;
        this.name = name;
        this.owner = owner;
        this.ttlMillis = ttlMillis;
        this.seed = seed;
        this.servers = servers;
        long drift = world.variant == Variant.NO_DRIFT_ALLOWANCE ? 0 : ttlMillis * 10_000L + 2_000_000L;
        this.machine = new Attempt(servers.length, owner, ttlMillis, drift, seed);
        int all = world.servers.length;
        this.touched = new boolean[all];
        this.uncertain = new boolean[all];
        this.begun = world.agenda.now();
        this.grants = new long[all];
        this.countersAtBegin = new long[all];
        for (int i = 0; i < all; i++) {
            countersAtBegin[i] = world.servers[i].counter();
        }
    }

    /** What the lease's validity is measured on. */
    Clock leaseClock() {
        return world.variant == Variant.VALIDITY_ON_WALL_CLOCK ? client.wall : client.monotonic;
    }

    private long now() {
        return leaseClock().at(world.agenda.now());
    }

    /** Whether its holder may rely on it now. */
    boolean isValid() {
        return heldAt >= 0 && !over && now() - validUntil < 0;
    }

    boolean isWithoutServers() {
        return servers.length == 0;
    }

    boolean isReleasing() {
        return releasing;
    }

    void release() {
        over = true;
        releasing = true;
        if (world.variant == Variant.TOP_UP_AFTER_RELEASE) {
            behindItsBack = true;
            for (int node = 0; node < servers.length; node++) {
                if (client.links[servers[node]].connection() != null) {
                    send(node, new Command.Release(owner));
                }
            }
            client.decided(this, new Verdict.Released(ReleaseResult.RELEASED));
        } else {
            feed(new Event.Release());
        }
    }

    @Override
    public void answered(int server, Command command, Answer answer) {
        if (answer instanceof Answer.Failed failed && failed.mayHaveRun()) {
            uncertain[server] = true;
            if (command instanceof Command.Release release) {
                client.links[server].ensureReleased(this, release);
            }
        }
        feed(new Event.Answered(machineNumber(server), command, answer));
    }

    private int machineNumber(int server) {
        for (int node = 0; node < servers.length; node++) {
            if (servers[node] == server) {
                return node;
            }
        }
        throw new AssertionError("node " + server + " was never asked");
    }

    /** Feeds an event, and those that its actions bring about at once. */
    void feed(Event first) {
        boolean nested = !events.isEmpty();
        events.addLast(first);
        if (nested) {
            return;
        }
        for (Event event = events.peekFirst(); event != null; event = events.peekFirst()) {
            for (Action action : machine.on(event, now())) {
                if (action instanceof Action.Send send) {
                    send(send.node(), send.command());
                } else if (action instanceof Action.Decide decide && !behindItsBack) {
                    client.decided(this, decide.verdict());
                }
            }
            events.removeFirst();
        }
    }

    private void send(int node, Command wanted) {
        int server = servers[node];
        Link link = client.links[server];
        Command command = wanted;
        if (isDropped(command)) {
            return;
        }
        if (command instanceof Command.Raise raise && world.variant == Variant.MAX_WITHOUT_BALLOT) {
            events.addLast(new Event.Answered(node, command, new Answer.Yes()));
            command = new Command.Lift(raise.token());
        }
        Connection connection = link.connection();
        if (link.isQuarantined()) {
            if (wanted instanceof Command.TopUp topUp) {
                command = new Command.Lift(topUp.token());
            } else if (wanted instanceof Command.Acquire) {
                fail(node, command, NodeFailure.Reason.QUARANTINED);
                return;
            }
        }
        if (command instanceof Command.Release && world.variant == Variant.RELEASE_ON_ANOTHER_CONNECTION) {
            connection = link.secondConnection();
        }
        if (command instanceof Command.Release release && (connection != null ? uncertain[server] : touched[server])) {
            link.ensureReleased(this, release);
        }
        if (connection == null) {
            fail(node, command, NodeFailure.Reason.NOT_CONNECTED);
        } else {
            touched[server] = true;
            link.send(connection, this, this, command);
        }
    }

    private boolean isDropped(Command command) {
        return world.variant == Variant.NO_LIFT_TO_ALL
                && (command instanceof Command.Lift || command instanceof Command.TopUp);
    }

    private void fail(int node, Command command, NodeFailure.Reason reason) {
        Answer failed = new Answer.Failed(new NodeFailure(reason, reason.name()), false);
        events.addLast(new Event.Answered(node, command, failed));
    }

    @Override
    public String toString() {
        return name + " of client " + client.index + " (ttl " + ttlMillis + " ms, seed " + seed + ", counters at begin "
                + Arrays.toString(countersAtBegin) + (token == 0 ? "" : ", token " + token) + ")";
    }
}
