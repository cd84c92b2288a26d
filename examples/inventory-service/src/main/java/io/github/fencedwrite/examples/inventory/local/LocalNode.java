package io.github.fencedwrite.examples.inventory.local;

import io.github.fencedwrite.examples.servers.Data;
import io.github.fencedwrite.examples.servers.FakeTime;
import io.github.fencedwrite.examples.servers.RedisNode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import io.github.fencedwrite.examples.servers.ServerKind;
import java.time.Duration;
import java.util.Optional;

/** One Redis node and what can be done to it. Thread safe. */
public final class LocalNode implements AutoCloseable {

    /** How a node is. */
    public enum State {
        /** It answers. */
        RUNNING,
        /** Its process is stopped: it takes connections and does not answer. */
        FROZEN,
        /** Its process has ended. */
        STOPPED
    }

    private final String name;
    private final Optional<FakeTime> clock;
    private final RedisNodes group;
    private State state = State.RUNNING;
    private Duration ahead = Duration.ZERO;

    private LocalNode(String name, Optional<FakeTime> clock, RedisNodes group) {
        this.name = name;
        this.clock = clock;
        this.group = group;
    }

    static LocalNode start(String name) {
        // a group for each node: each has a clock of its own
        RedisNodes.Builder builder = RedisNodes.nodes(1);
        Optional<FakeTime> clock = FakeTime.create();
        clock.ifPresent(fake -> {
            builder.embedded(); // the library is one of this machine
            fake.environment().forEach(builder::environment);
        });
        return new LocalNode(name, clock, builder.start());
    }

    private RedisNode node() {
        return group.get(0);
    }

    /** Its name for people. */
    public String name() {
        return name;
    }

    /** Its address. */
    public String uri() {
        return node().uri();
    }

    /** How it is now. */
    public synchronized State state() {
        return state;
    }

    /** How far its clock was set ahead. */
    public synchronized Duration clockAhead() {
        return ahead;
    }

    /** Whether its clock can be set; this machine needs libfaketime for it. */
    public boolean hasClock() {
        return clock.isPresent();
    }

    /** Where it comes from. */
    public ServerKind kind() {
        return group.kind();
    }

    /** Kills the process; its data stay on its disk. */
    public synchronized void stop() {
        node().kill();
        state = State.STOPPED;
    }

    /** Stops the process with SIGSTOP. */
    public synchronized void freeze() {
        if (state == State.RUNNING) {
            node().pause();
            state = State.FROZEN;
        }
    }

    /** Continues the process, or starts it with the data that it had. */
    public synchronized void start() {
        if (state == State.FROZEN) {
            node().resume();
        } else if (state == State.STOPPED) {
            node().restart(Data.KEPT);
        }
        state = State.RUNNING;
    }

    /** Kills the process and starts it without its data. */
    public synchronized void wipe() {
        node().restart(Data.LOST);
        state = State.RUNNING;
    }

    /**
     * Sets the wall clock, within a second.
     *
     * @param newAhead of the true time
     * @throws IllegalStateException if this machine has no libfaketime
     */
    public synchronized void setClockAhead(Duration newAhead) {
        clock.orElseThrow(() -> new IllegalStateException(
                        "The clock of a node can only be set where libfaketime is installed (Debian: libfaketime)."))
                .jump(newAhead);
        ahead = newAhead;
    }

    @Override
    public void close() {
        group.close();
        clock.ifPresent(FakeTime::close);
    }
}
