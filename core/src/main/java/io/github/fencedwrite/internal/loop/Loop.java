package io.github.fencedwrite.internal.loop;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of one client.
 *
 * <ol>
 *   <li>A <b>step</b> runs the tasks that were handed in, tells the owners of links that are ready, runs what is due, and has
 *       the parts write what they have. Steps exclude each other, so what is touched in steps only needs no lock. Nothing in a
 *       step waits, and no code of the application runs there.
 *   <li>Whoever hands in a task does the step himself unless another thread is in one, which then runs the task as well.
 *   <li>One thread <b>leads</b>: it sleeps until a link is ready or something is due, and does the step that follows. A
 *       thread that waits for a result leads if nobody else does, and passes the lead to another waiting thread when it has
 *       its result, so that a result as a rule needs no change of threads.
 *   <li>A daemon leads while nobody waits but something is unanswered, owed or due, and in place of a thread that has waited
 *       for longer than answers take: a virtual thread that sleeps in a selector would hold its carrier.
 * </ol>
 *
 * <p>Safe for use by many threads.
 */
public final class Loop implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Loop.class);
    /** How long a thread leads for one result. */
    private static final long SPELL = TimeUnit.MILLISECONDS.toNanos(20);
    /** How long an answer that nobody waits for may lie unread. */
    private static final long LINGER = TimeUnit.MILLISECONDS.toNanos(3);
    /** The longest sleep; nothing depends on it. */
    private static final long LONG = TimeUnit.MINUTES.toNanos(1);

    private final Network network;
    private final boolean attended;
    private final LongSupplier clock;
    private final Deadlines deadlines = new Deadlines();
    private final List<Part> parts = new ArrayList<>();
    private final ReentrantLock stepping = new ReentrantLock();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Thread> leader = new AtomicReference<>();
    private final Queue<Waiter<?>> followers = new ConcurrentLinkedQueue<>();
    private List<Thread> settled = new ArrayList<>();

    private volatile boolean asleep;
    private volatile long asleepUntil;
    /** When a leader is needed at the latest. */
    private volatile long attendAt;
    /** When something is due at the latest. */
    private volatile long lookAt;

    private volatile Demand demand = Demand.NONE;

    private volatile long daemonWakesAt;
    private volatile @Nullable Thread daemon;
    private volatile boolean closed;

    /** Something with a link of its own. Used in steps. */
    public interface Part {

        /** Reads what has arrived. Survives everything. */
        default void hear() {}

        /** Writes what there is to be written, and sees to what is overdue. Survives everything. */
        void tend(long now);

        /** When {@link #tend} is needed next even if nothing happens, at the latest {@code latest}. */
        long nextLook(long latest);

        /** Whether answers, wake-ups or a connection are being waited for. */
        Demand demand();
    }

    /** How much a part needs somebody who leads. */
    public enum Demand {
        /** Nothing is expected. */
        NONE,
        /** Answers may lie unread for a moment. */
        SOME,
        /** Something has to be noticed at once although no thread waits for it. */
        NOW
    }

    /** A loop with a thread of its own for when nobody waits. */
    public Loop(Network network, LongSupplier clock) {
        this(network, clock, true);
    }

    /**
     * A loop.
     *
     * @param attended whether it has a thread of its own, started when needed; else the caller has to {@link #step} in time
     */
    public Loop(Network network, LongSupplier clock, boolean attended) {
        this.attended = attended;
        this.network = network;
        this.clock = clock;
        this.attendAt = clock.getAsLong() + LONG;
        this.lookAt = attendAt;
    }

    /** The clock of all deadlines, monotonic, in nanoseconds. */
    public long now() {
        return clock.getAsLong();
    }

    public Network network() {
        return network;
    }

    /** What is due; in steps only. */
    public Deadlines deadlines() {
        return deadlines;
    }

    /** Adds a part. */
    public void add(Part part) {
        submit(() -> parts.add(part));
    }

    /** Runs {@code task} in a step, as a rule before this method returns. */
    public void submit(Runnable task) {
        tasks.add(task);
        if (stepping.isHeldByCurrentThread()) {
            return;
        }
        combine();
        if (leader.get() == null) {
            seeToALeader();
        } else if (asleep && asleepUntil - lookAt > 0) {
            network.wakeUp();
        }
    }

    /** Whoever is in a step runs what others hand in meanwhile; so nobody waits for a step to end. */
    private void combine() {
        // a leader that waits for its step reads, too, and runs the tasks as well
        while (!tasks.isEmpty() && !stepping.hasQueuedThreads() && stepping.tryLock()) {
            List<Thread> woken;
            try {
                step(false);
                woken = takeSettled();
            } finally {
                stepping.unlock();
            }
            woken.forEach(LockSupport::unpark);
        }
    }

    private List<Thread> takeSettled() {
        if (settled.isEmpty()) {
            return List.of();
        }
        List<Thread> woken = settled;
        settled = new ArrayList<>();
        return woken;
    }

    /** One step, on the thread that calls; for who drives the loop without any thread, as a simulation does. */
    public void step() {
        stepping.lock();
        try {
            step(true);
            settled.clear();
        } finally {
            stepping.unlock();
        }
    }

    /** When the next step is needed even if nothing happens; for who drives the loop without any thread. */
    public long nextLook() {
        return lookAt;
    }

    private void step(boolean dispatching) {
        if (dispatching) {
            guarded(network::dispatch);
        }
        long begun = now();
        if (deadlines.next(begun) - begun < 0) {
            // something is due: this process may have slept while what it waits for arrived
            for (int i = 0; i < parts.size(); i++) {
                parts.get(i).hear();
            }
        }
        Runnable due = deadlines.due(now());
        while (due != null) {
            guarded(due);
            due = deadlines.due(now());
        }
        do {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                guarded(task);
            }
            long now = now();
            for (int i = 0; i < parts.size(); i++) {
                parts.get(i).tend(now);
            }
        } while (!tasks.isEmpty());
        plan();
    }

    /** How soon a leader is needed. */
    private void plan() {
        long now = now();
        long next = deadlines.next(now + LONG);
        Demand demand = Demand.NONE;
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            next = part.nextLook(next);
            Demand its = part.demand();
            demand = its.compareTo(demand) > 0 ? its : demand;
        }
        this.demand = demand;
        this.lookAt = next;
        attendAt = demand == Demand.NOW ? now : demand == Demand.SOME && next - now > LINGER ? now + LINGER : next;
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.error("A step of the loop failed; this is a defect of the library, or memory is short", e);
        }
    }

    void settled(Waiter<?> waiter) {
        if (waiter.thread != Thread.currentThread()) {
            settled.add(waiter.thread);
        }
    }

    /**
     * Waits until {@code waiter} is settled, at most until {@code deadline}.
     *
     * @param interruptible whether an interrupt ends the wait; if not, the flag is kept for afterwards. It stays set
     */
    public void await(Waiter<?> waiter, long deadline, boolean interruptible) {
        boolean interrupted = false;
        try {
            long spell = now() + SPELL;
            while (!waiter.isSettled()) {
                long now = now();
                if (deadline - now <= 0 || closed) {
                    return;
                }
                if (interruptible) {
                    if (Thread.currentThread().isInterrupted()) {
                        return;
                    }
                } else {
                    interrupted |= Thread.interrupted();
                }
                boolean mayLead = spell - now > 0;
                if (mayLead && leader.compareAndSet(null, Thread.currentThread())) {
                    lead(waiter, deadline - spell < 0 ? deadline : spell);
                } else {
                    follow(waiter, deadline, mayLead);
                }
            }
        } finally {
            if (leader.get() == null) {
                // this thread may have been offered the lead and has no use for it
                seeToALeader();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void lead(Waiter<?> waiter, long until) {
        try {
            while (!waiter.isSettled()
                    && until - now() > 0
                    && !closed
                    && !Thread.currentThread().isInterrupted()) {
                turn(until);
            }
        } finally {
            leader.set(null);
            seeToALeader();
        }
    }

    private void follow(Waiter<?> waiter, long deadline, boolean mayLead) {
        if (mayLead) {
            followers.add(waiter);
            if (leader.get() == null) {
                // the one who led may not have seen this one
                return;
            }
        } else {
            wakeDaemon(now());
        }
        if (!waiter.isSettled()) {
            LockSupport.parkNanos(this, Math.min(deadline - now(), LONG));
        }
    }

    /** Nobody leads: a thread that waits shall, or the daemon as soon as it is needed. */
    private void seeToALeader() {
        Waiter<?> next = followers.poll();
        while (next != null && (next.isSettled() || next.thread == Thread.currentThread())) {
            next = followers.poll();
        }
        if (next != null) {
            LockSupport.unpark(next.thread);
        } else {
            wakeDaemon(attendAt);
        }
    }

    /** Sleeps, at most until {@code until}, and does what there is to be done then. */
    private void turn(long until) {
        // in this order: whoever brings lookAt forward now either is seen here, or sees a sleep that has to be ended
        asleepUntil = until + LONG;
        asleep = true;
        long next = until - lookAt < 0 ? until : lookAt;
        asleepUntil = next;
        try {
            network.sleep(tasks.isEmpty() ? Math.max(0, next - now()) : 0);
        } catch (IOException | RuntimeException e) {
            log.error("The loop cannot wait for its connections", e);
            LockSupport.parkNanos(LINGER);
        } finally {
            asleep = false;
        }
        List<Thread> woken;
        stepping.lock();
        try {
            step(true);
            woken = takeSettled();
        } finally {
            stepping.unlock();
        }
        woken.forEach(LockSupport::unpark);
        combine();
    }

    private void wakeDaemon(long at) {
        Thread known = daemon;
        if (!attended || closed || (known != null && daemonWakesAt - at <= 0)) {
            return;
        }
        synchronized (this) {
            known = daemon;
            if (known == null) {
                startDaemon();
                return;
            }
            if (daemonWakesAt - at <= 0) {
                return;
            }
            daemonWakesAt = at;
        }
        LockSupport.unpark(known);
    }

    private void startDaemon() {
        Thread thread = new Thread(this::attend, "fenced-write-loop");
        thread.setDaemon(true);
        daemonWakesAt = now();
        try {
            thread.start();
            daemon = thread;
        } catch (OutOfMemoryError e) {
            // the next one who needs it tries again; callers who wait can do without it
            log.error("The thread of the loop could not be started", e);
        }
    }

    /** The daemon's whole life. */
    private void attend() {
        while (!closed) {
            // nobody has reason to interrupt this thread, and an interrupt that stays would keep it from sleeping
            var unused = Thread.interrupted();
            if (attendAt - now() <= 0 && leader.compareAndSet(null, Thread.currentThread())) {
                try {
                    do {
                        attendOnce();
                    } while (!closed && demand != Demand.NONE && followers.isEmpty());
                } finally {
                    leader.set(null);
                    seeToALeader();
                }
            }
            long now = now();
            long at = attendAt - now > 0 ? attendAt : now + LINGER;
            synchronized (this) {
                daemonWakesAt = at;
            }
            // whoever needed the daemon between the look at attendAt and here saw an earlier time and did not wake it
            if (attendAt - at < 0 && leader.get() == null) {
                continue;
            }
            LockSupport.parkNanos(this, at - now);
        }
    }

    /** An error here must not end the only thread that leads while nobody waits. */
    private void attendOnce() {
        try {
            turn(now() + LONG);
        } catch (RuntimeException | Error e) {
            log.error("A turn of the loop failed; this is a defect of the library, or memory is short", e);
        }
    }

    /** Whether {@link #close} was called. */
    public boolean isClosed() {
        return closed;
    }

    /** Ends everything; whoever waits goes on without a result. */
    @Override
    public void close() {
        submit(() -> closed = true);
        closed = true;
        network.wakeUp();
        Thread known;
        synchronized (this) {
            known = daemon;
        }
        if (known != null) {
            LockSupport.unpark(known);
        }
        followers.forEach(waiter -> LockSupport.unpark(waiter.thread));
        stepping.lock();
        try {
            network.close();
        } finally {
            stepping.unlock();
        }
    }
}
