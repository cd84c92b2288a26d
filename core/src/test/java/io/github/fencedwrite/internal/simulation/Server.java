package io.github.fencedwrite.internal.simulation;

import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.ModelNode;
import io.github.fencedwrite.internal.protocol.OwnerId;
import io.github.fencedwrite.internal.protocol.TimedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One node: a modelled Redis with a clock of its own, which can stop, freeze, forget and come back with older data. */
final class Server {

    private final World world;
    final int index;
    final Clock clock;
    final List<Connection> connections = new ArrayList<>();
    final List<Forgetting> forgettings = new ArrayList<>();
    private final TimedNode empty;
    private TimedNode node;
    private TimedNode saved;
    private @Nullable Exchange lockSetter;
    private @Nullable Exchange savedSetter;
    private long startedSecond;
    boolean up = true;
    long frozenUntil;
    long lastLoss = Long.MIN_VALUE;

    Server(World world, int index, Clock clock, ModelNode.Rule rule) {
        this.world = world;
        this.index = index;
        this.clock = clock;
        this.empty = new TimedNode(rule);
        this.node = empty.copy();
        this.saved = empty.copy();
        this.startedSecond = second() - TimeUnit.DAYS.toSeconds(1);
    }

    boolean isFrozen() {
        return world.agenda.now() < frozenUntil;
    }

    int run() {
        return node.run();
    }

    long uptimeSeconds() {
        return second() - startedSecond;
    }

    private long second() {
        return Math.floorDiv(clock.at(world.agenda.now()), 1_000_000_000L);
    }

    private long millis() {
        return Math.floorDiv(clock.at(world.agenda.now()), 1_000_000L);
    }

    Answer execute(Connection.Message message, boolean leftBehind) {
        pass();
        long before = node.counter();
        OwnerId lockBefore = node.lock();
        Exchange setterBefore = lockSetter;
        Answer answer = node.execute(message.command(), millis(), world.conditions.retentionMillis());
        if (lockBefore == null && node.lock() != null) {
            lockSetter = message.exchange();
        }
        if (world.trace.isOn()) {
            world.say("    node " + index + (leftBehind ? " executes what a closed connection left: " : " executes ")
                    + message.command() + " -> " + answer + ", now " + describe());
        }
        world.checker.executed(this, message, before, lockBefore, setterBefore, answer);
        return answer;
    }

    /** Lets keys run out. */
    private void pass() {
        long before = node.counter();
        node.passTo(millis());
        noteForgetting(before);
    }

    private void noteForgetting(long before) {
        if (node.counter() < before) {
            forgettings.add(new Forgetting(world.agenda.now(), before, node.counter()));
        }
    }

    long counter() {
        pass();
        return node.counter();
    }

    /** Who took the lock that is there now. */
    @Nullable Exchange holder() {
        pass();
        return node.lock() == null ? null : lockSetter;
    }

    @Nullable OwnerId lock() {
        pass();
        return node.lock();
    }

    /** When, in true time, the lock that is there now will run out. */
    long lockEnds() {
        return node.lockEnds() == TimedNode.NEVER
                ? Long.MAX_VALUE
                : clock.whenItShows((node.lockEnds() + 1) * 1_000_000);
    }

    /** When, in true time, the counter that is there now will run out. */
    long counterEnds() {
        return node.counterEnds() == TimedNode.NEVER
                ? Long.MAX_VALUE
                : clock.whenItShows((node.counterEnds() + 1) * 1_000_000);
    }

    void save() {
        pass();
        saved = node.copy();
        savedSetter = lockSetter;
    }

    void stop() {
        up = false;
        frozenUntil = 0;
        for (Connection connection : connections) {
            connection.dead = true;
            if (world.random.nextInt(4) != 0) {
                connection.breakAtServer();
            }
        }
        connections.clear();
    }

    /** Comes back with all its data, with an older snapshot, or with none. */
    void start(Data data) {
        long before = node.counter();
        TimedNode from = data == Data.KEPT ? node.copy() : data == Data.OLDER ? saved : empty;
        if (data != Data.KEPT) {
            lockSetter = savedSetter;
            lastLoss = world.agenda.now();
        }
        node.restartFrom(from);
        up = true;
        startedSecond = second();
        noteForgetting(before);
        pass();
        world.say("node " + index + " starts again with " + data + " data: " + describe());
    }

    void forgetCounter() {
        long before = node.counter();
        node.forgetCounter();
        noteForgetting(before);
    }

    void corruptCounter() {
        long before = node.counter();
        node.overwriteCounter(ModelNode.CORRUPT);
        noteForgetting(before);
    }

    void flush() {
        long before = node.counter();
        node.flush();
        noteForgetting(before);
    }

    private String describe() {
        return "lock " + node.lock() + ", counter " + node.counter() + " by run " + node.storedRun() + " of "
                + node.run();
    }

    enum Data {
        KEPT,
        OLDER,
        LOST
    }

    /** The counter went down. */
    record Forgetting(long time, long from, long to) {}
}
