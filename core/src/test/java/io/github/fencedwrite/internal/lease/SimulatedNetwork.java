package io.github.fencedwrite.internal.lease;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.fencedwrite.internal.loop.Link;
import io.github.fencedwrite.internal.loop.Network;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The network of one client and its servers, with a clock that all share. Bytes take their time in each direction, are taken
 * in part or not at all, get lost with their connection or are executed after it, and now and then are not what a server says.
 */
final class SimulatedNetwork implements Network {

    private static final long MILLI = 1_000_000;

    final List<SimulatedRedis> servers = new ArrayList<>();
    private final SplittableRandom random;
    private final PriorityQueue<Event> agenda = new PriorityQueue<>();
    private final List<Pipe> pipes = new ArrayList<>();
    private long events;
    long now = 1_000_000 * MILLI;
    /** Whether anything goes wrong. */
    boolean hostile;

    SimulatedNetwork(SplittableRandom random, int servers) {
        this.random = random;
        for (int i = 0; i < servers; i++) {
            this.servers.add(new SimulatedRedis(() -> now / MILLI));
        }
    }

    void at(long time, Runnable what) {
        agenda.add(new Event(Math.max(time, now), events++, what));
    }

    /** When something happens next. */
    long next(long latest) {
        Event first = agenda.peek();
        return first == null ? latest : Math.min(latest, first.at);
    }

    /** Lets everything happen that is due. */
    void happen() {
        for (Event first = agenda.peek(); first != null && first.at <= now; first = agenda.peek()) {
            agenda.poll();
            first.what.run();
        }
    }

    /** Something goes wrong with a server or a connection. */
    void strike() {
        SimulatedRedis server = servers.get(random.nextInt(servers.size()));
        switch (random.nextInt(5)) {
            case 0 -> server.frozenUntil = now + random.nextLong(600 * MILLI);
            case 1 -> {
                server.up = false;
                pipes.stream().filter(pipe -> pipe.server == server).forEach(pipe -> pipe.broken = true);
                at(now + random.nextLong(400 * MILLI), server::restart);
            }
            case 2 ->
                pipes.stream()
                        .filter(pipe -> pipe.server == server)
                        .forEach(pipe -> pipe.stalledUntil = now + random.nextLong(400 * MILLI));
            case 3 -> pipes.stream().filter(pipe -> pipe.server == server).forEach(pipe -> pipe.lies = true);
            default -> pipes.stream().filter(pipe -> pipe.server == server).forEach(pipe -> pipe.broken = true);
        }
    }

    /** All servers are up and all connections good from here on; what lost connections had sent is still on its way. */
    void heal() {
        hostile = false;
        for (SimulatedRedis server : servers) {
            server.frozenUntil = now;
        }
        pipes.forEach(pipe -> pipe.stalledUntil = now);
    }

    @Override
    public Link connect(InetSocketAddress address, @Nullable String host, Link.Owner owner) {
        Pipe pipe = new Pipe(servers.get(address.getPort() - 1), owner);
        pipes.add(pipe);
        return pipe;
    }

    @Override
    public void lookUp(String host, Lookup result) {
        result.found(new InetAddress[] {InetAddress.getLoopbackAddress()}, null);
    }

    @Override
    public void sleep(long nanos) {}

    @Override
    public void wakeUp() {}

    @Override
    public void dispatch() {
        for (Pipe pipe : List.copyOf(pipes)) {
            if (!pipe.closed && pipe.isReady()) {
                pipe.owner.ready();
            }
        }
        pipes.removeIf(pipe -> pipe.closed);
    }

    @Override
    public void close() {}

    private record Event(long at, long order, Runnable what) implements Comparable<Event> {

        @Override
        public int compareTo(Event other) {
            return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
        }
    }

    private final class Pipe implements Link {

        final SimulatedRedis server;
        final Owner owner;
        private final ArrayDeque<String> inFlight = new ArrayDeque<>();
        private final StringBuilder atServer = new StringBuilder();
        private final StringBuilder arrived = new StringBuilder();
        private final long connectedAt;
        private long lastThere;
        private long lastBack;
        private boolean connected;
        private boolean wantsWrite;
        boolean closed;
        boolean broken;
        /** The server reads nothing more of it. */
        private boolean dead;

        boolean lies;
        long stalledUntil;

        Pipe(SimulatedRedis server, Owner owner) {
            this.server = server;
            this.owner = owner;
            this.connectedAt = now + latency();
            at(connectedAt, () -> {});
        }

        private long latency() {
            return MILLI / 10 + random.nextLong(hostile && random.nextInt(20) == 0 ? 150 * MILLI : 2 * MILLI);
        }

        boolean isReady() {
            return broken
                    || (connected ? !arrived.isEmpty() || (wantsWrite && now >= stalledUntil) : now >= connectedAt);
        }

        @Override
        public boolean finishConnect() throws IOException {
            if (!server.up || broken) {
                throw new java.net.ConnectException("refused");
            }
            connected = server.frozenUntil <= now;
            return connected;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            if (broken) {
                throw new IOException("reset");
            }
            int length = Math.min(into.remaining(), arrived.length());
            length = hostile && length > 0 ? 1 + random.nextInt(length) : length;
            into.put(arrived.substring(0, length).getBytes(ISO_8859_1));
            arrived.delete(0, length);
            return length;
        }

        @Override
        public void write(ByteBuffer from) throws IOException {
            if (broken) {
                throw new IOException("broken pipe");
            }
            if (now < stalledUntil) {
                return;
            }
            int length = hostile ? random.nextInt(from.remaining() + 1) : from.remaining();
            byte[] taken = new byte[length];
            from.get(taken);
            lastThere = Math.max(lastThere, now + latency());
            String text = new String(taken, ISO_8859_1);
            inFlight.add(text);
            at(lastThere, this::arrive);
            if (from.hasRemaining()) {
                at(now + MILLI, () -> {});
            }
        }

        private void arrive() {
            if (server.frozenUntil > now) {
                at(server.frozenUntil, this::arrive);
                return;
            }
            String text = inFlight.remove();
            dead |= !server.up || (broken && random.nextBoolean());
            if (dead) {
                return;
            }
            atServer.append(text);
            for (List<String> command = SimulatedRedis.command(atServer);
                    !command.isEmpty();
                    command = SimulatedRedis.command(atServer)) {
                String reply = lies && random.nextInt(3) == 0 ? "?what" : server.reply(command);
                lastBack = Math.max(lastBack, now + latency());
                at(lastBack, () -> arrived.append(reply));
            }
        }

        @Override
        public void wantWrite(boolean wanted) {
            wantsWrite = wanted;
            if (wanted && stalledUntil > now) {
                at(stalledUntil, () -> {});
            }
        }

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public void abort() {
            closed = true;
        }
    }
}
