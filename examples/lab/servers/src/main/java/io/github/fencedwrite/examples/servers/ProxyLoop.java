package io.github.fencedwrite.examples.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Iterator;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The two threads that serve all proxies of this JVM, however many connections they have: one reads what arrives and
 * notes when, the other writes what is due. They start with the first proxy and end with the last.
 */
final class ProxyLoop {

    /** What to do when a channel is ready; called with the lock held. */
    interface Handler {
        void ready(SelectionKey key) throws IOException;
    }

    /** Timers of the operating system fire up to this late; the rest of a delay is spent spinning. */
    private static final long TIMER_SLACK_NANOS = 70_000;

    private static @Nullable ProxyLoop shared;
    private static int users;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition earlier = lock.newCondition();
    private final PriorityQueue<ProxyPipe> scheduled =
            new PriorityQueue<>((one, two) -> Long.signum(one.due() - two.due()));
    private final Selector selector;
    private final Thread reader = new Thread(this::read, "proxy-reader");
    private final Thread writer = new Thread(this::write, "proxy-writer");
    private volatile boolean running = true;
    private final AtomicLong selections = new AtomicLong();

    private ProxyLoop() throws IOException {
        selector = Selector.open();
        reader.setDaemon(true);
        writer.setDaemon(true);
        reader.start();
        writer.start();
    }

    /** Returns the shared loop; each call must be followed by one of {@link #leave}. */
    static synchronized ProxyLoop join() {
        try {
            if (shared == null) {
                shared = new ProxyLoop();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        users++;
        return shared;
    }

    static synchronized void leave() {
        users--;
        if (users == 0 && shared != null) {
            shared.end();
            shared = null;
        }
    }

    ReentrantLock lock() {
        return lock;
    }

    SelectionKey register(SelectableChannel channel, int operations, Handler handler) throws IOException {
        channel.configureBlocking(false);
        SelectionKey key = channel.register(selector, operations, handler);
        selector.wakeup();
        return key;
    }

    /** Lets closed channels go: a channel is really closed only when the selector has noticed. */
    void forgetClosed() {
        selector.wakeup();
    }

    /** Waits until closed channels are really closed. Must not be called with the lock held. */
    void awaitClosed() {
        // the selection that runs now may already be past the point where it lets closed channels go
        long enough = selections.get() + 2;
        while (running && selections.get() < enough) {
            selector.wakeup();
            LockSupport.parkNanos(TIMER_SLACK_NANOS);
        }
    }

    /** Delivers what is due on a pipe and schedules the rest. */
    void flush(ProxyPipe pipe) {
        if (!pipe.isScheduled) {
            pipe.link.deliver(pipe, System.nanoTime());
            schedule(pipe);
        }
    }

    /** Throws away what is on its way. */
    void drop(ProxyPipe pipe) {
        scheduled.remove(pipe);
        pipe.isScheduled = false;
        pipe.clear();
    }

    private void schedule(ProxyPipe pipe) {
        if (!pipe.isScheduled && !pipe.isHeld() && !pipe.isEmpty() && pipe.link.isOpen()) {
            pipe.isScheduled = true;
            scheduled.add(pipe);
            if (scheduled.peek() == pipe) {
                earlier.signal();
            }
        }
    }

    private void read() {
        while (running) {
            try {
                selector.select();
                selections.incrementAndGet();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            for (Iterator<SelectionKey> keys = selector.selectedKeys().iterator(); keys.hasNext(); ) {
                SelectionKey key = keys.next();
                keys.remove();
                lock.lock();
                try {
                    if (key.isValid()) {
                        ((Handler) key.attachment()).ready(key);
                    }
                } catch (IOException | RuntimeException e) {
                    // one broken connection must not end the others
                    closeQuietly(key.channel());
                } finally {
                    lock.unlock();
                }
            }
        }
    }

    private static void closeQuietly(SelectableChannel channel) {
        try {
            channel.close();
        } catch (IOException alreadyBroken) {
            // closing was all that could be done
        }
    }

    private void write() {
        lock.lock();
        try {
            while (running) {
                ProxyPipe first = scheduled.peek();
                if (first == null) {
                    earlier.await();
                } else {
                    awaitAndDeliver(first);
                }
            }
        } catch (InterruptedException endOfThread) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    // the loop around it is the caller's
    @SuppressWarnings("WaitNotInLoop")
    private void awaitAndDeliver(ProxyPipe first) throws InterruptedException {
        long due = first.due();
        long wait = due - System.nanoTime();
        if (wait > TIMER_SLACK_NANOS) {
            earlier.awaitNanos(wait - TIMER_SLACK_NANOS);
        } else if (wait > 0) {
            lock.unlock();
            while (due - System.nanoTime() > 0) {
                Thread.onSpinWait();
            }
            lock.lock();
        } else {
            scheduled.poll();
            first.isScheduled = false;
            first.link.deliver(first, System.nanoTime());
            schedule(first);
        }
    }

    private void end() {
        running = false;
        selector.wakeup();
        lock.lock();
        try {
            earlier.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            reader.join();
            writer.join();
            selector.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
