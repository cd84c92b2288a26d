package io.github.fencedwrite.internal.simulation;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Plans what goes wrong during a time of activity, and sees to it that everything is repaired at its end. */
final class Nemesis {

    private final World world;
    private final SplittableRandom random;

    Nemesis(World world) {
        this.world = world;
        this.random = world.random;
    }

    void plan(long end) {
        long begin = world.agenda.now();
        for (Server server : world.servers) {
            for (int i = random.nextInt(4); i > 0; i--) {
                world.agenda.at(begin + random.nextLong(end - begin), server::save);
            }
        }
        for (int i = world.conditions.faults(); i > 0; i--) {
            world.agenda.at(begin + random.nextLong(end - begin), () -> strike(end));
        }
    }

    /** Locks vanish under their owners, much more often than any real clock jumps. */
    void planFrenzy(long end) {
        long begin = world.agenda.now();
        for (int i = 20 + random.nextInt(80); i > 0; i--) {
            Server server = world.servers[random.nextInt(world.servers.length)];
            world.agenda.at(begin + random.nextLong(end - begin), () -> jump(server, random.nextLong(ttl())));
        }
    }

    private long ttl() {
        return Conditions.millis(world.conditions.maxTtlMillis());
    }

    private void strike(long end) {
        Server server = world.servers[random.nextInt(world.servers.length)];
        Client client = world.clients[random.nextInt(world.clients.length)];
        Link link = client.links[server.index];
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> restart(server, end);
            case 3 -> freeze(server, end);
            case 4 -> cut(client, end);
            case 5, 6 -> breakConnection(link);
            case 7 -> pause(client, end);
            case 8 -> jumpWallClock(client);
            case 9 -> {
                world.say("client " + client.index + " dies, another one starts");
                client.restart();
            }
            case 10 -> harmCounter(server);
            case 11 -> harmNode(server);
            default -> throw new AssertionError();
        }
    }

    private void restart(Server server, long end) {
        if (server.up) {
            Server.Data[] kinds = Server.Data.values();
            Server.Data data = kinds[random.nextInt(kinds.length)];
            world.say("node " + server.index + " is killed");
            server.stop();
            world.agenda.at(Math.min(end - 1, world.agenda.now() + spell()), () -> server.start(data));
        }
    }

    private void freeze(Server server, long end) {
        if (server.up) {
            server.frozenUntil = Math.min(end - 1, world.agenda.now() + spell());
            world.say("node " + server.index + " freezes until " + server.frozenUntil / 1e6);
        }
    }

    private void cut(Client client, long end) {
        long until = Math.min(end - 1, world.agenda.now() + spell());
        int atMost = 1 + random.nextInt(client.links.length);
        for (int i = 0; i < atMost; i++) {
            Link link = client.links[random.nextInt(client.links.length)];
            link.cutUntil = until;
            world.say("client " + client.index + " and node " + link.server.index + " are apart until " + until / 1e6);
        }
    }

    private void breakConnection(Link link) {
        Connection connection = link.connection();
        if (connection != null) {
            link.client.whenRunning(() -> link.broken(connection, "cut"));
        }
    }

    private void pause(Client client, long end) {
        long nanos = Math.min(end - 1 - world.agenda.now(), spell());
        if (nanos > 0) {
            world.say("client " + client.index + " pauses for " + nanos / 1e6 + " ms");
            client.pause(nanos);
        }
    }

    private void jumpWallClock(Client client) {
        long most = world.conditions.wallClocksAgree()
                ? Conditions.millis(2)
                : random.nextBoolean() ? TimeUnit.DAYS.toNanos(1) : ttl();
        long by = random.nextLong(-most, most);
        world.say("wall clock of client " + client.index + " jumps by " + by / 1e6 + " ms");
        client.wall.jump(world.agenda.now(), by);
        world.checker.wallClockIsOffBy(client.wall.at(world.agenda.now()) - world.agenda.now() - World.WALL_START);
    }

    private void harmCounter(Server server) {
        if (world.conditions.evictions() && random.nextBoolean()) {
            world.say("counter of node " + server.index + " is evicted");
            server.forgetCounter();
        } else if (world.conditions.evictions()) {
            world.say("counter of node " + server.index + " is overwritten with what is no number");
            server.corruptCounter();
            world.agenda.in(spell(), () -> {
                if (server.counter() < 0) {
                    server.forgetCounter();
                }
            });
        }
    }

    private void harmNode(Server server) {
        if (world.conditions.flushes() && random.nextBoolean()) {
            world.say("node " + server.index + " is flushed");
            server.flush();
        } else if (world.conditions.nodeClocksJump()) {
            jump(server, random.nextLong(-2 * ttl(), 2 * ttl()));
        }
    }

    private void jump(Server server, long by) {
        world.say("clock of node " + server.index + " jumps by " + by / 1e6 + " ms");
        server.clock.jump(world.agenda.now(), by);
    }

    /** How long a fault lasts: about as long as a timeout, or as a lease. */
    private long spell() {
        return random.nextBoolean() ? random.nextLong(3 * world.conditions.timeout()) : random.nextLong(ttl() * 3 / 2);
    }
}
