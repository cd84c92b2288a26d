package io.github.fencedwrite.internal.loop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Sockets and a selector, and a daemon thread for looking names up, which ends when idle. */
public final class SelectorNetwork implements Network {

    private static final long IDLE_SECONDS = 10;

    private final @Nullable SSLContext trust;
    private final Selector selector;
    private final ThreadPoolExecutor names;
    private volatile boolean sleeping;

    /** With what is trusted over TLS; null for what the JVM's default context trusts at the time. */
    public SelectorNetwork(@Nullable SSLContext trust) {
        this.trust = trust;
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("No selector can be opened; are there file descriptors left?", e);
        }
        names = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread = new Thread(task, "fenced-write-names");
                    thread.setDaemon(true);
                    return thread;
                },
                (task, closed) -> {});
        names.allowCoreThreadTimeOut(true);
    }

    @Override
    public Link connect(InetSocketAddress address, @Nullable String host, Link.Owner owner) throws IOException {
        SocketLink link = new SocketLink(this, address, owner);
        return host == null ? link : TlsLink.over(link, trust, host, address.getPort());
    }

    Selector selector() {
        return selector;
    }

    /** Has a change of what a link is interested in take effect, even during a sleep. */
    void interestChanged() {
        if (sleeping) {
            selector.wakeup();
        }
    }

    @Override
    public void lookUp(String host, Lookup result) {
        try {
            names.execute(() -> resolve(host, result));
        } catch (RuntimeException | Error e) {
            // no native thread, for example: told like a name that cannot be looked up now, so that it is tried again
            result.found(null, new IOException(e));
        }
    }

    private static void resolve(String host, Lookup result) {
        try {
            result.found(InetAddress.getAllByName(host), null);
        } catch (UnknownHostException e) {
            result.found(null, e);
        } catch (RuntimeException | Error e) {
            result.found(null, new IOException(e));
        }
    }

    @Override
    public void sleep(long nanos) throws IOException {
        sleeping = true;
        try {
            if (nanos <= 0) {
                selector.selectNow();
            } else {
                selector.select(TimeUnit.NANOSECONDS.toMillis(nanos + 999_999));
            }
        } finally {
            sleeping = false;
        }
    }

    @Override
    public void wakeUp() {
        selector.wakeup();
    }

    @Override
    public void dispatch() {
        if (!selector.isOpen() || selector.selectedKeys().isEmpty()) {
            return;
        }
        SelectionKey[] ready = selector.selectedKeys().toArray(new SelectionKey[0]);
        selector.selectedKeys().clear();
        for (SelectionKey key : ready) {
            try {
                if (key.isValid()) {
                    ((Link.Owner) key.attachment()).ready();
                }
            } catch (CancelledKeyException e) {
                // closed by the owner of another link
            }
        }
    }

    @Override
    public void close() {
        names.shutdownNow();
        try {
            selector.close();
        } catch (IOException e) {
            // nothing is left to be closed
        }
    }
}
