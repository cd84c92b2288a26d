package io.github.fencedwrite.examples.benchmarks;

import io.github.fencedwrite.FencedLocks;
import io.github.fencedwrite.examples.benchmarks.Comparison.Pair;
import io.github.fencedwrite.examples.servers.RedisNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** Many threads: on resources of their own, and all on one. */
final class Contention {

    private static final int THREADS = 16;
    private static final int WAITERS = 8;
    private static final Duration WAIT = Duration.ofSeconds(30);

    private Contention() {}

    static List<Comparison> comparisons() {
        return List.of(throughput(false), throughput(true), handoff());
    }

    /** Servers and clients share the machine, so the time on the wall has the servers' share in it, too. */
    private static Comparison throughput(boolean cpu) {
        String what = THREADS + " threads on " + THREADS + " resources, "
                + (cpu ? "CPU time of client and servers" : "time on the wall") + " per operation";
        return new Comparison(
                cpu ? "cpu-16-threads-n5" : "throughput-16-threads-n5",
                AgainstFloor.CYCLE + ", " + what,
                "Redisson RedLock, no token",
                Comparison.MICROS,
                0.4,
                stage -> {
                    RedisNodes redis = stage.redisProcesses(5);
                    FencedLocks locks = stage.locks(redis.uris());
                    List<RedissonClient> clients = RedissonPeers.clients(stage, redis);
                    Crowd crowd = stage.add(new Crowd(THREADS));
                    return new Pair(
                            perOperation(
                                    crowd,
                                    cpu,
                                    thread -> locks.acquire(name(thread), AgainstFloor.TTL, Duration.ZERO)
                                            .close()),
                            perOperation(crowd, cpu, thread -> {
                                RLock lock = RedissonPeers.redLock(clients, name(thread));
                                RedissonPeers.requireLocked(
                                        lock.tryLock(0, RedissonPeers.TTL_SECONDS, TimeUnit.SECONDS));
                                lock.unlock();
                            }));
                });
    }

    private static String name(int thread) {
        return "resource-" + thread;
    }

    static Scenario perOperation(Crowd crowd, boolean cpu, Crowd.Work work) {
        return slice -> {
            long begun = System.nanoTime();
            Duration usedBefore = Cpu.used();
            long operations = crowd.work(slice, work);
            long nanos = cpu ? Cpu.used().minus(usedBefore).toNanos() : System.nanoTime() - begun;
            return nanos / 1_000.0 / operations;
        };
    }

    /** Each waiter has a client of its own, as if it were another process. */
    private static Comparison handoff() {
        return new Comparison(
                "handoff-8-waiters",
                "from the release to the next of 8 waiting clients, one node, median",
                "Redisson RLock, no token",
                Comparison.MICROS,
                1,
                stage -> {
                    RedisNodes redis = stage.redis(1);
                    List<FencedLocks> ours = new ArrayList<>();
                    List<RedissonClient> theirs = new ArrayList<>();
                    for (int i = 0; i < WAITERS; i++) {
                        ours.add(stage.locks(redis.uris()));
                        theirs.add(RedissonPeers.client(stage, redis.uris().get(0)));
                    }
                    Crowd crowd = stage.add(new Crowd(WAITERS));
                    return new Pair(
                            new Handoff(
                                    crowd, thread -> ours.get(thread).acquire("hot", AgainstFloor.TTL, WAIT)::close),
                            new Handoff(crowd, thread -> {
                                RLock lock = theirs.get(thread).getLock("hot");
                                lock.lock(RedissonPeers.TTL_SECONDS, TimeUnit.SECONDS);
                                return lock::unlock;
                            }));
                });
    }
}
