package io.github.fencedwrite;

import io.github.fencedwrite.internal.text.Printable;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The leases of several resources that were acquired together, each with its own token. They live and end independently: one of
 * them may be released, or lost, before the others. Safe for use by many threads.
 */
public final class Leases implements AutoCloseable, Iterable<Lease> {

    private final SortedMap<String, Lease> byResource;

    Leases(List<Lease> leases) {
        SortedMap<String, Lease> sorted = new TreeMap<>();
        leases.forEach(lease -> sorted.put(lease.resource(), lease));
        this.byResource = Collections.unmodifiableSortedMap(sorted);
    }

    /**
     * The lease of one of the resources.
     *
     * @throws IllegalArgumentException if {@code resource} is none of those that were acquired together
     */
    public Lease of(String resource) {
        Lease lease = byResource.get(resource);
        if (lease == null) {
            throw new IllegalArgumentException("\"" + Printable.text(resource) + "\" is none of the "
                    + byResource.size() + " resources that were locked together.");
        }
        return lease;
    }

    /** All of them, sorted by the names of their resources. */
    public List<Lease> all() {
        return List.copyOf(byResource.values());
    }

    @Override
    public Iterator<Lease> iterator() {
        return all().iterator();
    }

    /** Whether every lease is valid. True says nothing about the moment after the call returned. */
    public boolean isValid() {
        return byResource.values().stream().allMatch(Lease::isValid);
    }

    /** How long all of them can still be relied on: what the shortest has left, zero if one is over. */
    public Duration remaining() {
        return byResource.values().stream()
                .map(Lease::remaining)
                .min(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** Releases all of them, as {@link Lease#close} does: idempotent, and never throws. */
    @Override
    public void close() {
        // all are on their way before the first is waited for
        for (Lease lease : all()) {
            var unused = lease.releaseAsync();
        }
        byResource.values().forEach(Lease::close);
    }

    @Override
    public String toString() {
        return "leases of " + byResource.size() + " resources";
    }
}
