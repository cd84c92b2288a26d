package io.github.fencedwrite.internal.loop;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** A TCP connection. */
final class SocketLink implements Link {

    private final SelectorNetwork network;
    private final SocketChannel channel;
    private final SelectionKey key;

    SocketLink(SelectorNetwork network, InetSocketAddress address, Owner owner) throws IOException {
        this.network = network;
        this.channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            boolean connected = channel.connect(address);
            // one that is connected already is ready for writing, so the owner is told in either case
            key = channel.register(
                    network.selector(), connected ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT, owner);
            network.interestChanged();
        } catch (IOException | RuntimeException | Error e) {
            abort();
            throw e;
        }
    }

    @Override
    public boolean finishConnect() throws IOException {
        if (!channel.finishConnect()) {
            return false;
        }
        interest(SelectionKey.OP_READ);
        return true;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return channel.read(into);
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
        channel.write(from);
    }

    @Override
    public void wantWrite(boolean wanted) {
        interest(wanted ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    }

    private void interest(int operations) {
        try {
            if (key.interestOps() != operations) {
                key.interestOps(operations);
                network.interestChanged();
            }
        } catch (CancelledKeyException e) {
            // closed; reading and writing will tell
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // nothing is left to be closed
        }
        // the descriptor is only given back when the selector has taken notice
        network.interestChanged();
    }

    @Override
    public void abort() {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException | UnsupportedOperationException e) {
            // closed already
        }
        close();
    }
}
