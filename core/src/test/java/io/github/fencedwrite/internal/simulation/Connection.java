package io.github.fencedwrite.internal.simulation;

import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A connection from a client to one process of a node. Commands arrive, are executed and are answered in the order in which
 * they were written. Once the client has closed it, the server may still execute what it had been sent, all of it or the
 * first part; nobody hears of it.
 */
final class Connection {

    final Link link;
    final Server server;
    final ArrayDeque<Message> unread = new ArrayDeque<>();
    private final ArrayDeque<Message> inFlight = new ArrayDeque<>();
    private final ArrayDeque<Answer> replies = new ArrayDeque<>();
    private long lastArrival;
    private long lastReply;
    /** The client has a timer running for the oldest answer. */
    boolean watched;
    /** The client has given it up. */
    boolean closed;
    /** The server will read nothing more from it. */
    boolean dead;

    Connection(Link link, Server server) {
        this.link = link;
        this.server = server;
    }

    void send(Message message) {
        unread.add(message);
        inFlight.add(message);
        lastArrival = Math.max(lastArrival, link.arrival());
        world().agenda.at(lastArrival, this::arrive);
    }

    private void arrive() {
        if (dead) {
            return;
        }
        if (server.isFrozen()) {
            world().agenda.at(server.frozenUntil, this::arrive);
            return;
        }
        if ((closed && world().random.nextBoolean()) || world().losesConnection()) {
            breakAtServer();
            return;
        }
        Answer answer = server.execute(inFlight.remove(), closed);
        if (closed) {
            return;
        }
        if (world().losesConnection()) {
            breakAtServer();
            return;
        }
        replies.add(answer);
        lastReply = Math.max(lastReply, link.arrival());
        world().agenda.at(lastReply, () -> link.client.whenRunning(this::deliver));
    }

    private void deliver() {
        Answer answer = replies.poll();
        if (!closed && answer != null) {
            Message message = unread.remove();
            message.sender().answered(server.index, message.command(), answer);
        }
    }

    /** The network or the server ends the connection, and tells the client. */
    void breakAtServer() {
        dead = true;
        world().agenda.at(link.arrival(), () -> link.client.whenRunning(() -> link.broken(this, "reset")));
    }

    private World world() {
        return link.client.world;
    }

    /** Who sent a command, and on whose behalf. */
    record Message(@Nullable Exchange exchange, Recipient sender, Command command, long writtenAt) {}

    /** Who hears the answer. */
    interface Recipient {
        void answered(int server, Command command, Answer answer);
    }
}
