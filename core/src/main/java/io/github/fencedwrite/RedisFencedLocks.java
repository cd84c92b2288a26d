package io.github.fencedwrite;

import io.github.fencedwrite.internal.lease.GroupAcquisition;
import io.github.fencedwrite.internal.lease.LeaseClient;
import io.github.fencedwrite.internal.lease.LeaseSpec;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Locks on Redis nodes: checks arguments and leaves the rest to the client. */
final class RedisFencedLocks implements FencedLocks {

    private final LeaseClient client;
    private final Arguments arguments;
    private final Supplier<List<Finding>> preflight;

    RedisFencedLocks(LeaseClient client, Arguments arguments, Supplier<List<Finding>> preflight) {
        this.client = client;
        this.arguments = arguments;
        this.preflight = preflight;
    }

    @Override
    public Lease acquire(LeaseRequest request, Duration waitAtMost) {
        return client.acquire(arguments.spec(request, waitAtMost));
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(LeaseRequest request, Duration waitAtMost) {
        return client.acquireAsync(arguments.spec(request, waitAtMost));
    }

    @Override
    public Leases acquireAll(Collection<LeaseRequest> requests, Duration waitAtMost) {
        List<LeaseSpec> specs = arguments.specs(requests, waitAtMost);
        return new Leases(new GroupAcquisition(client::acquire, specs, waitAtMost.toNanos()).run());
    }

    @Override
    public ResourceStatus resourceStatus(String resource) {
        return client.look(arguments.resource(resource)).status();
    }

    @Override
    public ReleaseResult forceRelease(String resource) {
        return client.look(arguments.resource(resource)).forceRelease();
    }

    @Override
    public List<Lease> heldLeases() {
        return client.heldLeases();
    }

    @Override
    public List<Finding> preflight() {
        return preflight.get();
    }

    @Override
    public List<NodeStatus> nodeStatuses() {
        return client.diagnose();
    }

    @Override
    public void close() {
        client.close();
    }
}
