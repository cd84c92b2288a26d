package io.github.fencedwrite.internal.lease;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.internal.protocol.Action;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Attempt;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.protocol.Event;
import io.github.fencedwrite.internal.protocol.OwnerId;
import io.github.fencedwrite.internal.protocol.Verdict;
import io.github.fencedwrite.internal.redis.Node;
import io.github.fencedwrite.internal.redis.NodeConnection;
import io.github.fencedwrite.internal.redis.Recipient;
import io.github.fencedwrite.internal.redis.ResourceKeys;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What one attempt, and the lease it may become, says to all nodes. Carries out the actions of an {@link Attempt} and feeds
 * it what comes back, on whatever thread that is read.
 *
 * <p>Order on a node: everything goes over one connection as long as an answer is missing there, even if that connection
 * serves somebody else by now. So a release can never overtake its own acquire. Where the connection broke with something
 * unanswered, the release is repeated (see {@link Node#ensureReleased}).
 *
 * <p>An operation (acquire, extend, release) writes to all nodes first and then reads on the caller's own thread, beginning
 * with the node whose answer should complete a quorum, until the attempt has decided. Safe for use by many threads, one operation at a time.
 */
final class Conversation implements Recipient {

    private static final long SHORTEST_SLICE = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_SLICE = TimeUnit.MILLISECONDS.toNanos(20);

    private final NodeSet nodes;
    private final ResourceKeys keys;
    /** Nobody is to be woken by the release of what was never held, least of all the caller itself. */
    private final ResourceKeys silentKeys;

    private final long ttlMillis;
    private final Attempt attempt;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private final int[] unanswered;
    private final @Nullable NodeConnection[] current;
    private final @Nullable NodeConnection[] taken;
    private final boolean[] touched;
    private final boolean[] uncertain;
    private final @Nullable Answer[] lastAnswers;
    private final @Nullable Command[] owed;
    private long validUntil;
    private boolean held;
    private boolean releasing;
    private volatile @Nullable Verdict verdict;

    Conversation(NodeSet nodes, ResourceKeys keys, OwnerId owner, long ttlMillis, long driftNanos, long seed) {
        this.nodes = nodes;
        this.keys = keys;
        this.silentKeys = keys.silent();
        this.ttlMillis = ttlMillis;
        this.attempt = new Attempt(nodes.size(), owner, ttlMillis, driftNanos, seed);
        this.unanswered = new int[nodes.size()];
        this.current = new @Nullable NodeConnection[nodes.size()];
        this.taken = new @Nullable NodeConnection[nodes.size()];
        this.touched = new boolean[nodes.size()];
        this.uncertain = new boolean[nodes.size()];
        this.owed = new @Nullable Command[nodes.size()];
        this.lastAnswers = new @Nullable Answer[nodes.size()];
    }

    /**
     * Starts an operation and sees it through until the attempt decides.
     *
     * @param giveUpAt when to give up, on the clock of {@link System#nanoTime}; only for acquiring
     * @param interruptible whether an interrupt of this thread makes it give up; the flag stays set
     */
    Verdict perform(Event event, @Nullable Long giveUpAt, boolean interruptible) {
        try {
            int[] order = begin(event, index -> nodes.get(index).take());
            return await(order, giveUpAt, interruptible);
        } finally {
            leaveConnections((index, connection) -> nodes.get(index).giveBack(connection));
        }
    }

    /** Looks once for answers to an operation that nothing interrupts; null if it is not decided then. */
    @Nullable Verdict readOnce(int[] order) {
        boolean readSomething = false;
        for (int i : order) {
            NodeConnection connection = verdict == null && waitsFor(i) ? current(i) : null;
            if (connection != null) {
                readSomething |= connection.read(this, SHORTEST_SLICE);
            }
        }
        if (verdict == null && !readSomething) {
            failIfNothingCanHappen();
            LockSupport.parkNanos(this, SHORTEST_SLICE);
        }
        return verdict;
    }

    /**
     * Starts an operation.
     *
     * @param connections a connection to a node, or null if it is down; asked only for nodes that owe no answer
     * @return the nodes in the order in which to read from them
     */
    int[] begin(Event event, IntFunction<@Nullable NodeConnection> connections) {
        int[] order = new int[nodes.size()];
        takeConnections(order, connections);
        lock.lock();
        try {
            verdict = null;
            handle(event);
        } finally {
            lock.unlock();
        }
        return order;
    }

    private void takeConnections(int[] order, IntFunction<@Nullable NodeConnection> connections) {
        long now = System.nanoTime();
        long[] expected = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            NodeConnection connection = waitsFor(i) ? current(i) : null;
            if (connection == null || connection.isClosed()) {
                connection = connections.apply(i);
                taken[i] = connection;
            }
            expected[i] = Math.max(
                    nodes.get(i).latencyNanos(), connection == null ? Long.MAX_VALUE : connection.unreadSince(now));
            int place = i;
            while (place > 0 && expected[order[place - 1]] > expected[i]) {
                order[place] = order[place - 1];
                place--;
            }
            order[place] = i;
        }
        beginWithDecisive(order);
    }

    /**
     * The answer that completes a quorum is waited for first: when it is here, the quicker ones are, too, and are read
     * without another sleep. To wait for each in turn would wake this thread up to a quorum of times.
     */
    private static void beginWithDecisive(int[] order) {
        int decisive = order.length / 2;
        int node = order[decisive];
        System.arraycopy(order, 0, order, 1, decisive);
        order[0] = node;
    }

    /** Ends what {@link #begin} began; the connections are free then. */
    void leaveConnections(ConnectionUse then) {
        boolean left = false;
        for (int i = 0; i < taken.length; i++) {
            NodeConnection connection = taken[i];
            if (connection != null) {
                lock.lock();
                try {
                    taken[i] = null;
                } finally {
                    lock.unlock();
                }
                then.of(i, connection);
            }
            left |= waitsFor(i);
        }
        if (left) {
            nodes.sweeper().sweepSoon();
        }
    }

    private Verdict await(int[] order, @Nullable Long giveUpAt, boolean interruptible) {
        boolean interrupted = false;
        try {
            while (true) {
                boolean readSomething = false;
                for (int i : order) {
                    Verdict decided = verdict;
                    if (decided != null) {
                        return decided;
                    }
                    long left = giveUpAt == null ? Long.MAX_VALUE : giveUpAt - System.nanoTime();
                    if (!interruptible) {
                        interrupted |= Thread.interrupted();
                    } else if (Thread.currentThread().isInterrupted()) {
                        return giveUp();
                    }
                    if (left <= 0) {
                        return giveUp();
                    }
                    NodeConnection connection = waitsFor(i) ? current(i) : null;
                    if (connection != null) {
                        long slice = Math.min(Math.max(2 * nodes.get(i).latencyNanos(), SHORTEST_SLICE), LONGEST_SLICE);
                        readSomething |= connection.read(this, Math.min(slice, left));
                    }
                }
                if (!readSomething) {
                    pause();
                    failIfNothingCanHappen();
                }
            }
        } catch (InterruptedException e) {
            interrupted = true;
            return interruptible ? giveUp() : await(order, giveUpAt, false);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Others read on all the connections that matter, or their failure is about to be told by another thread. */
    private void pause() throws InterruptedException {
        lock.lock();
        try {
            long left = SHORTEST_SLICE;
            while (verdict == null && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void failIfNothingCanHappen() {
        lock.lock();
        try {
            if (verdict == null && IntStream.of(unanswered).allMatch(count -> count == 0)) {
                throw new IllegalStateException(
                        "All nodes have answered and nothing was decided: a defect of the library");
            }
        } finally {
            lock.unlock();
        }
    }

    private Verdict giveUp() {
        lock.lock();
        try {
            Verdict decided = verdict;
            if (decided == null) {
                handle(new Event.GiveUp());
                decided = verdict;
            }
            return decided == null ? new Verdict.Refused(Verdict.Refusal.GIVEN_UP, 0) : decided;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void answered(int node, Command command, Answer answer) {
        lock.lock();
        try {
            unanswered[node]--;
            if (answer instanceof Answer.Failed failed && failed.mayHaveRun()) {
                uncertain[node] = true;
                if (command instanceof Command.Release release) {
                    nodes.get(node).ensureReleased(silentKeys, release, ttlMillis);
                }
            }
            handle(new Event.Answered(node, command, answer));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean waitsFor(int node) {
        lock.lock();
        try {
            return unanswered[node] > 0;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable NodeConnection current(int node) {
        lock.lock();
        try {
            return current[node];
        } finally {
            lock.unlock();
        }
    }

    /** What a node answered last, for the message of an exception. */
    @Nullable Answer lastAnswer(int node) {
        lock.lock();
        try {
            return lastAnswers[node];
        } finally {
            lock.unlock();
        }
    }

    /** Feeds an event, and those that its actions bring about at once. The lock is held. */
    private void handle(Event first) {
        events.addLast(first);
        for (Event event = events.pollFirst(); event != null; event = events.pollFirst()) {
            if (event instanceof Event.Answered answered && !(answered.command() instanceof Command.Release)) {
                lastAnswers[answered.node()] = answered.answer();
            }
            for (Action action : attempt.on(event, System.nanoTime())) {
                if (action instanceof Action.Send send) {
                    send(send.node(), send.command());
                } else if (action instanceof Action.Decide decide) {
                    decided(decide.verdict());
                }
            }
        }
    }

    private void decided(Verdict decided) {
        verdict = decided;
        if (decided instanceof Verdict.Held success) {
            held = true;
            validUntil = success.validUntil();
        } else if (decided instanceof Verdict.Extended extended) {
            validUntil = extended.validUntil();
        }
    }

    /**
     * A node that could not be told of the token when it was due is up again. That all nodes know the token is part of
     * safety: it survives as many forgetful nodes as know it beyond a quorum.
     */
    private void catchUp(int index) {
        lock.lock();
        try {
            Command command = owed[index];
            owed[index] = null;
            if (command instanceof Command.TopUp topUp) {
                long remaining = TimeUnit.NANOSECONDS.toMillis(validUntil - System.nanoTime());
                command = releasing || remaining <= 0
                        ? new Command.Lift(topUp.token())
                        : new Command.TopUp(topUp.owner(), remaining, topUp.token());
            }
            if (command != null) {
                send(index, command);
            }
        } finally {
            lock.unlock();
        }
        nodes.sweeper().sweepSoon();
    }

    private void send(int index, Command wanted) {
        Node node = nodes.get(index);
        Command command = wanted;
        NodeConnection connection = route(index);
        if (connection != null && (wanted instanceof Command.Acquire || wanted instanceof Command.TopUp)) {
            NodeFailure quarantined = connection.quarantined();
            if (quarantined != null && wanted instanceof Command.TopUp topUp) {
                command = new Command.Lift(topUp.token());
            } else if (quarantined != null) {
                fail(index, command, quarantined);
                return;
            }
        }
        releasing |= command instanceof Command.Release;
        boolean sent = connection != null && connection.send(this, command, held ? keys : silentKeys);
        if (command instanceof Command.Release release && (sent ? uncertain[index] : touched[index])) {
            node.ensureReleased(silentKeys, release, ttlMillis);
        }
        if (sent) {
            touched[index] = true;
            unanswered[index]++;
            current[index] = connection;
        } else {
            if (command instanceof Command.TopUp || command instanceof Command.Lift) {
                owed[index] = command;
                node.whenUp(keys, () -> catchUp(index));
            }
            fail(index, command, node.failure());
        }
    }

    private void fail(int index, Command command, NodeFailure failure) {
        events.addLast(new Event.Answered(index, command, new Answer.Failed(failure, false)));
    }

    /** What is done with the connection to a node. */
    interface ConnectionUse {

        void of(int node, NodeConnection connection);
    }

    /** The connection on which something is unanswered; else the one taken for this operation; else any. */
    private @Nullable NodeConnection route(int index) {
        NodeConnection used = current[index];
        if (used != null && !used.isClosed() && unanswered[index] > 0) {
            return used;
        }
        NodeConnection fresh = taken[index];
        if (fresh != null && !fresh.isClosed()) {
            return fresh;
        }
        return used != null && !used.isClosed() ? used : nodes.get(index).borrow();
    }
}
