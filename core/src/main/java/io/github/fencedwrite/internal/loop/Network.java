package io.github.fencedwrite.internal.loop;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** What the loop does not do itself: the links to servers, the sleep until one of them is ready, and calls that may block. */
public interface Network {

    /**
     * Begins to connect.
     *
     * @param address where to
     * @param host the name to be found in the certificate, or null for no encryption
     * @param owner told in a step when the link is ready for something
     */
    Link connect(InetSocketAddress address, @Nullable String host, Link.Owner owner) throws IOException;

    /** Looks a name up, and hands the result over on any thread. */
    void lookUp(String host, Lookup result);

    /** Sleeps until a link is ready, {@link #wakeUp} or for {@code nanos}. Called by one thread at a time, outside of steps. */
    void sleep(long nanos) throws IOException;

    /** Ends the current sleep, or the next one at once. */
    void wakeUp();

    /** Tells the owners of the links that are ready; in a step. */
    void dispatch();

    /** Ends everything. */
    void close();

    /** Takes the result of a look-up. */
    interface Lookup {

        /** What the name stands for, or why that is not known: one of the two is null. */
        void found(InetAddress @Nullable [] addresses, @Nullable IOException failure);
    }
}
