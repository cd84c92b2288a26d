package io.github.fencedwrite.internal.redis;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.NodeFailure.Reason;
import io.github.fencedwrite.internal.loop.Deadlines.Deadline;
import io.github.fencedwrite.internal.loop.Loop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Brings about the connection of a node, and another one when it breaks.
 *
 * <ol>
 *   <li>The name is looked up anew each time, on a thread of its own.
 *   <li>Each address that it stands for has its share of the node's timeout to connect, encrypt, log in and say who is there;
 *       the one that was good last comes first.
 *   <li>If none succeeds, the next try is made after a pause that grows; there is never more than one.
 * </ol>
 *
 * <p>Used in steps of the loop only, except where a method says otherwise.
 */
final class Connector implements NodeConnection.Owner {

    private static final Logger log = LoggerFactory.getLogger(Node.class);
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(25);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(5);
    private static final long STABLE = TimeUnit.SECONDS.toNanos(1);

    private final Node node;
    private final Loop loop;
    private final CountDownLatch firstTry = new CountDownLatch(1);
    private final List<InetAddress> untried = new ArrayList<>();
    private List<CommandArguments> login = List.of();
    private @Nullable InetAddress trying;
    private @Nullable InetAddress lastGood;
    private @Nullable NodeConnection connection;
    private @Nullable Deadline end;
    private long reachUntil;
    private long readySince;
    private int lookUps;
    private boolean reaching;
    private boolean ready;
    private boolean resp3;
    private int failedTries;
    private boolean shut;

    private volatile @Nullable NodeFailure down = new NodeFailure(Reason.NOT_CONNECTED, "not connected yet");
    private volatile @Nullable NodeFailure lastFailure;

    Connector(Node node, Loop loop) {
        this.node = node;
        this.loop = loop;
    }

    /** Waits until the first try has succeeded or failed, at most until {@code deadline}; not in a step. */
    void awaitFirstTry(long deadline) throws InterruptedException {
        boolean ended = firstTry.await(Math.max(0, deadline - loop.now()), TimeUnit.NANOSECONDS);
        if (!ended) {
            log.warn("Node {} is not connected yet", node.name());
        }
    }

    /** Why there is no connection, or null; on any thread. */
    @Nullable NodeFailure down() {
        return down;
    }

    /** Why there is no connection or, if there is one, why there lately was none; null if there always was. On any thread. */
    @Nullable NodeFailure lastFailure() {
        NodeFailure now = down;
        return now == null ? lastFailure : now;
    }

    /** The connection if it can be used. */
    @Nullable NodeConnection usable() {
        return ready ? connection : null;
    }

    /** Whether messages of channels come over the connection. */
    boolean hearsMessages() {
        return ready && resp3;
    }

    /** Whether somebody has to look at the network at once, since a connection is under way. */
    boolean isConnecting() {
        return connection != null && !ready;
    }

    /** Reads what has arrived, also while connecting. */
    void hear() {
        if (connection != null) {
            connection.ready();
        }
    }

    void tend(long now) {
        if (connection != null) {
            connection.tend(now);
        }
    }

    long nextLook(long latest) {
        return connection == null ? latest : connection.overdueAt(latest);
    }

    /** Starts to connect. */
    void reach() {
        if (reaching || ready || shut) {
            return;
        }
        reaching = true;
        reachUntil = loop.now() + node.timeoutNanos();
        int lookUp = ++lookUps;
        end = loop.deadlines().at(reachUntil, () -> {
            // the look-up goes on, but nobody waits for it
            NodeFailure slow = new NodeFailure(Reason.TIMED_OUT, "the name could not be looked up in time");
            down = down == null || firstTry.getCount() > 0 ? slow : down;
            firstTry.countDown();
        });
        loop.network().lookUp(node.address().host(), (found, failure) -> {
            // on the thread for names: the application's credentials may take their time
            Login login = found == null ? null : login();
            loop.submit(() -> {
                if (lookUp == lookUps && !shut) {
                    lookedUp(found, failure, login);
                }
            });
        });
    }

    /** The commands to log in with, or why there are none. */
    private record Login(
            List<CommandArguments> commands, @Nullable NodeFailure failure) {}

    private Login login() {
        try {
            return new Login(node.settings().login().commands(node.address()), null);
        } catch (RuntimeException e) {
            return new Login(
                    List.of(),
                    new NodeFailure(Reason.NOAUTH, "the credentials provider of the application failed: " + e));
        }
    }

    private void lookedUp(InetAddress @Nullable [] found, @Nullable IOException failure, @Nullable Login given) {
        if (found == null) {
            cancelEnd();
            notReached(failure == null ? new NodeFailure(Reason.UNKNOWN_HOST, "unknown") : Replies.failure(failure));
            return;
        }
        NodeFailure none = given == null ? null : given.failure();
        if (given == null || none != null) {
            cancelEnd();
            notReached(none == null ? new NodeFailure(Reason.NOAUTH, "no credentials") : none);
            return;
        }
        login = given.commands();
        reachUntil = loop.now() + node.timeoutNanos();
        untried.clear();
        untried.addAll(Arrays.asList(found));
        if (lastGood != null && untried.remove(lastGood)) {
            untried.add(0, lastGood);
        }
        tryNext();
    }

    private void tryNext() {
        cancelEnd();
        InetAddress address = untried.remove(0);
        trying = address;
        long now = loop.now();
        long share = Math.max(0, reachUntil - now) / (untried.size() + 1);
        NodeConnection next = new NodeConnection(this, node);
        connection = next;
        end = loop.deadlines().at(now + share, () -> next.close(new NodeFailure(Reason.TIMED_OUT, tooSlow())));
        try {
            NodeAddress target = node.address();
            next.over(loop.network()
                    .connect(new InetSocketAddress(address, target.port()), target.tls() ? target.host() : null, next));
        } catch (IOException | RuntimeException e) {
            next.close(Replies.failure(e));
        }
    }

    private String tooSlow() {
        return "no connection with login within " + TimeUnit.NANOSECONDS.toMillis(node.timeoutNanos()) + " ms"
                + (node.address().tls() ? "; does that port speak TLS?" : "");
    }

    @Override
    public void connected(NodeConnection opened) {
        List<CommandArguments> all = new ArrayList<>(login);
        int first = login.size();
        all.addAll(ServerInfo.questions(node.settings()));
        Greeting greeting = new Greeting(opened, first, all.size());
        for (CommandArguments question : all) {
            opened.send(new Request.Question(question, greeting));
        }
    }

    /** Collects the replies to the login and the first questions. */
    private final class Greeting implements Request.Question.Answered {

        private final NodeConnection opened;
        private final int first;
        private final int all;
        private final List<@Nullable Object> replies = new ArrayList<>();

        /** Of {@code all} replies the questions' begin with {@code first}, and the one before is that to HELLO. */
        Greeting(NodeConnection opened, int first, int all) {
            this.opened = opened;
            this.first = first;
            this.all = all;
        }

        @Override
        public void with(Request.Question question, @Nullable Object reply, @Nullable NodeFailure failure) {
            replies.add(reply);
            if (failure != null || opened != connection) {
                return;
            }
            if (replies.size() < first && reply instanceof JedisDataException refused) {
                throw refused;
            }
            if (replies.size() == all) {
                ServerInfo server =
                        ServerInfo.of(replies.subList(first, all), Math.max(1, loop.now() - question.writtenAt));
                resp3 = !(replies.get(first - 1) instanceof JedisDataException);
                boolean toldMembership = !(reply instanceof JedisDataException);
                cancelEnd();
                // the other nodes are asked first, but not waited for longer than for this one
                end = loop.deadlines().at(loop.now() + node.timeoutNanos(), () -> greeted(opened));
                node.opened(server, toldMembership, () -> greeted(opened));
            }
        }
    }

    private void greeted(NodeConnection opened) {
        if (opened != connection || ready) {
            return;
        }
        cancelEnd();
        untried.clear();
        if (failedTries > 0 || firstTry.getCount() == 0) {
            log.info("Node {} is up again after {}", node.name(), down);
            lastFailure = down;
        }
        lastGood = trying;
        down = null;
        reaching = false;
        ready = true;
        readySince = loop.now();
        firstTry.countDown();
        node.isUsable();
    }

    @Override
    public void closed(NodeConnection which, NodeFailure failure) {
        if (which != connection) {
            return;
        }
        connection = null;
        cancelEnd();
        if (!ready) {
            // of several addresses the answer of a server says more than the silence of the last one
            if (untried.isEmpty() || shut) {
                notReached(failure);
            } else {
                tryNext();
            }
            return;
        }
        ready = false;
        if (shut) {
            return;
        }
        log.warn("Node {} is down: {}", node.name(), failure);
        down = failure;
        failedTries = loop.now() - readySince < STABLE ? 1 : 0;
        reachAfterPause();
        node.isUnusable();
    }

    private void notReached(NodeFailure seen) {
        boolean plain = !node.address().tls() && seen.reason() == Reason.CONNECTION_LOST;
        NodeFailure failure = plain
                ? new NodeFailure(seen.reason(), seen.detail() + "; does that port expect TLS (rediss://)?")
                : seen;
        reaching = false;
        if (firstTry.getCount() > 0) {
            log.warn("Node {} is down: {}", node.name(), failure);
        }
        down = failure;
        failedTries++;
        firstTry.countDown();
        reachAfterPause();
    }

    private void reachAfterPause() {
        if (shut) {
            return;
        }
        long pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(failedTries, 10));
        long random =
                failedTries == 0 ? 0 : pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1);
        var unused = loop.deadlines().at(loop.now() + random, this::reach);
    }

    private void cancelEnd() {
        if (end != null) {
            end.cancel();
            end = null;
        }
    }

    @Override
    public void heard(byte[] channel) {
        node.heard(channel);
    }

    /** Closes the connection and opens no other. */
    void shut() {
        shut = true;
        cancelEnd();
        NodeFailure reason = new NodeFailure(Reason.NOT_CONNECTED, "the client is closed");
        down = reason;
        if (connection != null) {
            connection.closeGently(reason);
        }
    }

    /** Leaves the server if the name no longer stands for its address; runs {@code still} if it does. */
    void askNameAgain(Runnable still) {
        NodeConnection asked = connection;
        InetAddress address = trying;
        loop.network()
                .lookUp(
                        node.address().host(),
                        (found, failure) -> loop.submit(() -> {
                            if (asked == null || asked != connection || !ready || found == null) {
                                return;
                            }
                            if (Arrays.asList(found).contains(address)) {
                                still.run();
                            } else {
                                asked.close(new NodeFailure(
                                        Reason.NOT_CONNECTED,
                                        "its name stands for another server now, which other clients have met"));
                            }
                        }));
    }
}
