package io.github.fencedwrite.internal.loop;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A stream of bytes to and from a server; none of its methods waits. Used in steps only. */
public interface Link {

    /**
     * Goes on connecting, encryption included.
     *
     * @return whether bytes can now be read and written
     */
    boolean finishConnect() throws IOException;

    /** Reads what is there; −1 at the end of the stream. */
    int read(ByteBuffer into) throws IOException;

    /** Writes what fits now, which may be nothing. */
    void write(ByteBuffer from) throws IOException;

    /** Whether the owner is to be told when more can be written. */
    void wantWrite(boolean wanted);

    /** Closes after what was written. */
    void close();

    /** Closes at once and takes back what the network has not delivered yet. */
    void abort();

    /** Told, in a step, that a link can be connected, read or written. */
    interface Owner {

        /** Goes on with whatever this link was waiting for. */
        void ready();
    }
}
