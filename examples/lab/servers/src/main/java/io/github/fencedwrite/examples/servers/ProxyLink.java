package io.github.fencedwrite.examples.servers;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One connection through a proxy: a socket to the client, one to the server, and a pipe each way. Guarded by the lock of
 * {@link ProxyLoop}.
 */
final class ProxyLink {

    private static final int READ_BYTES = 64 << 10;

    private final Proxy proxy;
    private final ProxyLoop loop;
    private final SocketChannel client;
    private final SocketChannel server;
    private final ProxyPipe toServer;
    private final ProxyPipe toClient;
    private final RespFrames commandFrames = new RespFrames();
    private final RespFrames replyFrames = new RespFrames();
    private final ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
    private final long number;
    private long commands;
    private long replies;
    private final Map<Long, ReplyFault> doomedReplies = new HashMap<>();
    /** The command that arrives, if somebody wants to know its words: it goes on when it is complete. */
    private @Nullable ByteArrayOutputStream heldCommand;

    /** The client's side has ended; what the server still says is read and thrown away. */
    private boolean clientIsGone;

    private boolean repliesAreLost;
    private boolean resetsAfterCommand;
    private boolean isOpen = true;

    ProxyLink(Proxy proxy, ProxyLoop loop, SocketChannel client, SocketAddress target, long number) throws IOException {
        this.proxy = proxy;
        this.loop = loop;
        this.client = client;
        this.number = number;
        this.server = SocketChannel.open();
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        server.setOption(StandardSocketOptions.TCP_NODELAY, true);
        SelectionKey clientKey = loop.register(client, 0, key -> clientIsReadable());
        SelectionKey serverKey = loop.register(server, SelectionKey.OP_CONNECT, this::serverIsReady);
        toServer = new ProxyPipe(this, clientKey, server, proxy.bytesToServer);
        toClient = new ProxyPipe(this, serverKey, client, proxy.bytesToClient);
        try {
            if (server.connect(target)) {
                connected(clientKey, serverKey);
            }
        } catch (IOException e) {
            close(Cut.RESET);
        }
    }

    ProxyPipe toServer() {
        return toServer;
    }

    ProxyPipe toClient() {
        return toClient;
    }

    boolean isOpen() {
        return isOpen;
    }

    /** Ends both sides at once; what is on its way is lost. */
    void close(Cut how) {
        if (isOpen) {
            isOpen = false;
            end(client, how);
            end(server, how);
            loop.forgetClosed();
            proxy.ended(this);
        }
    }

    /** Writes what is due on one of the two pipes; called by the loop. */
    void deliver(ProxyPipe pipe, long now) {
        if (!isOpen) {
            return;
        }
        try {
            Cut end = pipe.deliver(now);
            if (end != null && pipe == toServer) {
                endServer(end);
            } else if (end != null) {
                endClient(end);
            }
        } catch (IOException targetIsGone) {
            close(Cut.RESET);
        }
    }

    private void serverIsReady(SelectionKey key) {
        try {
            if (key.isConnectable() && server.finishConnect()) {
                connected(client.keyFor(key.selector()), key);
            } else if (key.isReadable()) {
                serverIsReadable();
            }
        } catch (IOException noServer) {
            close(Cut.RESET);
        }
    }

    private void connected(@Nullable SelectionKey clientKey, SelectionKey serverKey) {
        serverKey.interestOps(SelectionKey.OP_READ);
        if (clientKey != null) {
            clientKey.interestOps(SelectionKey.OP_READ);
        }
    }

    private void clientIsReadable() {
        Cut end = read(client);
        if (clientIsGone) {
            end(client, Cut.CLOSE);
            loop.forgetClosed();
            return;
        }
        long due = System.nanoTime() + proxy.nanosToServer;
        if (end != null) {
            toServer.sourceEnded();
            toServer.addEnd(end, due);
        } else if (proxy.knowsRedis) {
            commands(received(), due);
        } else {
            toServer.add(received(), due);
        }
        loop.flush(toServer);
    }

    private void serverIsReadable() {
        Cut end = read(server);
        long due = System.nanoTime() + proxy.nanosToClient;
        if (clientIsGone) {
            if (end != null) {
                close(Cut.CLOSE);
            }
            return;
        }
        if (end != null) {
            toClient.sourceEnded();
            toClient.addEnd(end, due);
        } else if (proxy.knowsRedis) {
            replies(received(), due);
        } else {
            toClient.add(received(), due);
        }
        loop.flush(toClient);
    }

    private void commands(ByteBuffer bytes, long due) {
        int start = bytes.position();
        while (bytes.hasRemaining()) {
            if (commandFrames.atStart()) {
                commands++;
                CommandFault fault = proxy.faults.nextCommand();
                if (fault == CommandFault.LOSE_AND_RESET) {
                    toServer.add(slice(bytes, start, bytes.position()), due);
                    resetClient(due);
                    return;
                }
                resetsAfterCommand = fault == CommandFault.PASS_AND_RESET;
                if (proxy.faults.wantsWords()) {
                    toServer.add(slice(bytes, start, bytes.position()), due);
                    heldCommand = new ByteArrayOutputStream();
                }
            }
            int begin = bytes.position();
            boolean isComplete = commandFrames.skip(bytes);
            if (heldCommand != null) {
                heldCommand.write(bytes.array(), bytes.arrayOffset() + begin, bytes.position() - begin);
                start = bytes.position();
                if (isComplete && !passHeldCommand(heldCommand.toByteArray(), due)) {
                    resetClient(due);
                    return;
                }
            }
            if (isComplete && resetsAfterCommand) {
                toServer.add(slice(bytes, start, bytes.position()), due);
                resetClient(due);
                return;
            }
        }
        toServer.add(slice(bytes, start, bytes.limit()), due);
    }

    /** Lets a complete command go on unless it is to be lost; then returns false. */
    private boolean passHeldCommand(byte[] command, long due) {
        heldCommand = null;
        List<String> words = RespWords.of(command);
        proxy.faults.passing(new ProxyCommand(number, words));
        CommandFault fault = proxy.faults.ofCommand(words);
        if (fault == CommandFault.LOSE_AND_RESET) {
            return false;
        }
        ReplyFault replyFault = proxy.faults.ofReplyTo(words);
        if (replyFault != null) {
            doomedReplies.put(commands, replyFault);
        }
        toServer.add(ByteBuffer.wrap(command), due);
        resetsAfterCommand |= fault == CommandFault.PASS_AND_RESET;
        return true;
    }

    private void replies(ByteBuffer bytes, long due) {
        int start = bytes.position();
        while (bytes.hasRemaining() && !repliesAreLost) {
            // a push message of RESP3 answers no command
            if (replyFrames.atStart() && bytes.get(bytes.position()) != '>') {
                replies++;
                ReplyFault counted = proxy.faults.nextReply();
                ReplyFault doomed = doomedReplies.remove(replies);
                ReplyFault fault = doomed == null ? counted : doomed;
                if (fault != null) {
                    toClient.add(slice(bytes, start, bytes.position()), due);
                    fail(bytes, fault, due);
                    return;
                }
            }
            replyFrames.skip(bytes);
        }
        if (!repliesAreLost) {
            toClient.add(slice(bytes, start, bytes.limit()), due);
        }
    }

    private void fail(ByteBuffer bytes, ReplyFault fault, long due) {
        repliesAreLost = true;
        switch (fault) {
            case LOSE_AND_STAY_SILENT -> {}
            case LOSE_AND_CLOSE -> toClient.addEnd(Cut.CLOSE, due);
            case LOSE_AND_RESET -> toClient.addEnd(Cut.RESET, due);
            case TRUNCATE_AND_CLOSE -> {
                int start = bytes.position();
                replyFrames.skip(bytes);
                int half = Math.max(1, (bytes.position() - start) / 2);
                toClient.add(slice(bytes, start, start + half), due);
                toClient.addEnd(Cut.CLOSE, due);
            }
        }
    }

    private void endServer(Cut how) throws IOException {
        if (how == Cut.RESET) {
            close(Cut.RESET);
        } else {
            server.shutdownOutput();
        }
    }

    private void endClient(Cut how) throws IOException {
        if (toClient.hasSourceEnded()) {
            close(how);
        } else if (how == Cut.RESET) {
            resetClient(System.nanoTime() + proxy.nanosToServer);
        } else {
            client.shutdownOutput();
            leaveClient(System.nanoTime() + proxy.nanosToServer);
        }
    }

    private void resetClient(long due) {
        end(client, Cut.RESET);
        loop.forgetClosed();
        leaveClient(due);
    }

    /** Lets the server have what was sent to it, and then the end of the stream. */
    private void leaveClient(long due) {
        clientIsGone = true;
        loop.drop(toClient);
        toServer.addEnd(Cut.CLOSE, due);
        loop.flush(toServer);
    }

    /** Reads into the buffer; returns the end of the stream, if that was reached. */
    private @Nullable Cut read(SocketChannel source) {
        buffer.clear();
        try {
            return source.read(buffer) < 0 ? Cut.CLOSE : null;
        } catch (IOException reset) {
            return Cut.RESET;
        }
    }

    private ByteBuffer received() {
        buffer.flip();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static ByteBuffer slice(ByteBuffer bytes, int from, int to) {
        return bytes.slice(from, to - from);
    }

    private static void end(SocketChannel channel, Cut how) {
        try {
            if (how == Cut.RESET && channel.isOpen()) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            channel.close();
        } catch (IOException alreadyBroken) {
            // closing was all that could be done
        }
    }
}
