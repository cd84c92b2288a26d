package io.github.fencedwrite.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.examples.servers.RedisNode;
import io.github.fencedwrite.examples.servers.RedisNodes;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import io.github.fencedwrite.internal.protocol.ModelNode;
import io.github.fencedwrite.internal.protocol.OwnerId;
import io.github.fencedwrite.internal.protocol.TimedNode;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.SetParams;

/** The modelled node answers and changes as a real one does, whatever it is asked. Replay with -Dseed=N. */
class ModelNodeIT {

    private static final int STEPS = 2_000;
    private static final long HIGHEST = (1L << 53) - 2;
    private static final long SHORT = 2;
    private static final List<OwnerId> OWNERS =
            List.of(new OwnerId("owner-1"), new OwnerId("owner-2"), new OwnerId("owner-3"));
    private static final long HOUR = 3_600_000;

    private final long seed = Long.getLong("seed", 0) == 0 ? System.nanoTime() : Long.getLong("seed");
    private final SplittableRandom random = new SplittableRandom(seed);
    private final ResourceKeys keys = new ResourceKeys("model", "resource");
    private final TimedNode model = new TimedNode(ModelNode.Rule.RIGHT);
    private long slack;

    @Test
    void answersAndChangesAsARealNode() {
        System.out.println("model of a node: seed " + seed);
        try (RedisNodes nodes = RedisNodes.start(1);
                Jedis jedis = connect(nodes.get(0))) {
            for (int step = 0; step < STEPS; step++) {
                if (random.nextInt(12) == 0) {
                    disturb(jedis);
                } else {
                    compare(jedis, step, randomCommand(), randomRetention());
                }
            }
        }
    }

    private static Jedis connect(RedisNode node) {
        return new Jedis(
                new HostAndPort(node.host(), node.port()),
                DefaultJedisClientConfig.builder().autoNegotiateProtocol(false).build());
    }

    private void compare(Jedis jedis, int step, Command command, long retention) {
        String what = "seed " + seed + ", step " + step + ": " + command + " with retention " + retention;
        long before = millis(jedis);
        Answer real = execute(jedis, command, retention);
        slack = Math.max(slack, millis(jedis) - before + 1);
        Answer modelled = model.execute(command, before, retention);

        assertThat(plain(real)).as(what).isEqualTo(plain(modelled));
        if (real instanceof Answer.Busy busy && modelled instanceof Answer.Busy expected) {
            assertNear(what, busy.remainingMillis(), expected.remainingMillis());
        }
        if (!hasShortLock(before)) {
            assertThat(jedis.get(keys.lock())).as(what).isEqualTo(lockOf(model));
        }
        assertThat(number(jedis.get(keys.token()))).as(what).isEqualTo(model.counter());
        assertThat(text(jedis.get(keys.run())))
                .as(what)
                .isEqualTo(model.storedRun() == 0 ? "" : runId(model.storedRun()));
        if (model.lock() != null && !hasShortLock(before)) {
            assertEnds(what, jedis, keys.lock(), model.lockEnds());
        }
        if (model.counter() != 0) {
            assertEnds(what, jedis, keys.token(), model.counterEnds());
        }
        letShortLockRunOut(jedis);
    }

    private Answer execute(Jedis jedis, Command command, long retention) {
        byte[] runId = runId(model.run()).getBytes(US_ASCII);
        try {
            Object reply =
                    jedis.getConnection().executeCommand(new Encoding(retention).encode(command, keys, runId, true));
            return Replies.answer(command, reply);
        } catch (JedisDataException error) {
            return Replies.answer(command, error);
        }
    }

    /** Without what cannot be equal: the remaining time of another's lock, and the words of an error. */
    private static String plain(Answer answer) {
        if (answer instanceof Answer.Busy) {
            return "busy";
        } else if (answer instanceof Answer.Failed failed) {
            NodeFailure failure = failed.failure();
            return failure.reason() + ", may have run: " + failed.mayHaveRun();
        }
        return answer.toString();
    }

    private void assertEnds(String what, Jedis jedis, byte[] key, long modelled) {
        long asked = millis(jedis);
        long left = jedis.pttl(key);
        slack = Math.max(slack, millis(jedis) - asked + 1);
        if (modelled == TimedNode.NEVER) {
            assertThat(left).as(what).isEqualTo(-1);
        } else {
            assertNear(what, asked + left, modelled);
        }
    }

    private void assertNear(String what, long real, long modelled) {
        assertThat(real).as(what).isBetween(modelled - slack, modelled + slack);
    }

    private boolean hasShortLock(long now) {
        return model.lock() != null && model.lockEnds() <= now + SHORT;
    }

    /** A lock that lives for a moment only is waited for, so that it never runs out in the middle of a comparison. */
    private void letShortLockRunOut(Jedis jedis) {
        if (hasShortLock(millis(jedis))) {
            long ends = model.lockEnds() + slack;
            while (millis(jedis) <= ends) {
                Thread.onSpinWait();
            }
            model.passTo(millis(jedis));
        }
    }

    private void disturb(Jedis jedis) {
        switch (random.nextInt(6)) {
            case 0 -> model.restartFrom(model.copy()); // what the node sees of a restart is the run id
            case 1 -> {
                jedis.flushAll();
                model.flush();
            }
            case 2 -> {
                jedis.del(keys.token());
                model.forgetCounter();
            }
            case 3 -> {
                jedis.set(
                        keys.token(),
                        "no number".getBytes(US_ASCII),
                        SetParams.setParams().keepTtl());
                model.overwriteCounter(ModelNode.CORRUPT);
            }
            default -> {
                long value = random.nextBoolean() ? HIGHEST - random.nextInt(3) : 1 + random.nextInt(20);
                jedis.set(
                        keys.token(),
                        Long.toString(value).getBytes(US_ASCII),
                        SetParams.setParams().keepTtl());
                model.overwriteCounter(value);
            }
        }
    }

    /** For ever only now and then, since that holds until the counter is lost. */
    private long randomRetention() {
        return random.nextInt(20) == 0 ? 0 : HOUR * (1 + random.nextInt(5));
    }

    private Command randomCommand() {
        OwnerId owner = OWNERS.get(random.nextInt(OWNERS.size()));
        long ttl = random.nextInt(8) == 0 ? SHORT : 60_000 + random.nextInt(60_000);
        long token = random.nextInt(10) == 0 ? HIGHEST - random.nextInt(5) : 1 + random.nextInt(30);
        return switch (random.nextInt(9)) {
            case 0, 1 -> new Command.Acquire(owner, ttl, random.nextBoolean() ? 0 : token);
            case 2, 3 -> new Command.Raise(owner, Math.max(1, model.counter()) + random.nextInt(4) - 1);
            case 4 -> new Command.Lift(token);
            case 5 -> new Command.TopUp(owner, ttl, token);
            case 6 -> new Command.Extend(owner, ttl, 1);
            default -> new Command.Release(owner);
        };
    }

    private static byte @Nullable [] lockOf(TimedNode node) {
        OwnerId owner = node.lock();
        return owner == null ? null : owner.text().getBytes(US_ASCII);
    }

    private static long millis(Jedis jedis) {
        List<String> time = jedis.time();
        return Long.parseLong(time.get(0)) * 1_000 + Long.parseLong(time.get(1)) / 1_000;
    }

    private static long number(byte @Nullable [] counter) {
        String text = text(counter);
        return text.isEmpty() ? 0 : text.equals("no number") ? ModelNode.CORRUPT : Long.parseLong(text);
    }

    private static String text(byte @Nullable [] value) {
        return value == null ? "" : new String(value, US_ASCII);
    }

    private static String runId(int run) {
        return "run-" + run;
    }
}
