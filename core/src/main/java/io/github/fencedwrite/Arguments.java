package io.github.fencedwrite;

import io.github.fencedwrite.internal.lease.LeaseSpec;
import io.github.fencedwrite.internal.text.Printable;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The ranges of the arguments of every acquisition. */
final class Arguments {

    static final Duration SHORTEST_TTL = Duration.ofMillis(10);
    static final Duration LARGEST_MAX_TTL = Duration.ofHours(1);
    static final Duration LARGEST_MAX_LIFETIME = Duration.ofDays(7);
    private static final int LONGEST_RESOURCE = 1_024;
    private static final int MOST_RESOURCES = 100;
    private static final Duration LONGEST_WAIT = Duration.ofDays(1);

    private final Duration maxTtl;
    private final Duration maxLifetime;
    private final double driftFactor;
    private final Duration driftConstant;

    /** Without an allowance for drift. */
    Arguments(Duration maxTtl, Duration maxLifetime) {
        this(maxTtl, maxLifetime, 0, Duration.ZERO);
    }

    /** With an allowance of {@code driftFactor} of each ttl and {@code driftConstant} on top. */
    Arguments(Duration maxTtl, Duration maxLifetime, double driftFactor, Duration driftConstant) {
        this.maxTtl = maxTtl;
        this.maxLifetime = maxLifetime;
        this.driftFactor = driftFactor;
        this.driftConstant = driftConstant;
    }

    /** Why no lease of {@code ttl} could ever be valid, or null. */
    @Nullable String driftObjection(Duration ttl) {
        Duration drift = Duration.ofNanos((long) (ttl.toNanos() * driftFactor)).plus(driftConstant);
        return drift.compareTo(ttl) < 0
                ? null
                : "the allowance for drift of " + drift + " (" + driftFactor * 100 + " % and " + driftConstant
                        + ") leaves nothing of a ttl of " + ttl + ". Use a longer ttl, or a smaller drift.";
    }

    /** Checks every range. */
    LeaseSpec spec(LeaseRequest request, Duration waitAtMost) {
        return new LeaseSpec(
                resource(request.resource()),
                ttlMillis(request.ttl()),
                waitNanos(waitAtMost),
                lifetimeNanos(request),
                request.lostCallback().orElse(null),
                expiryWarningNanos(request),
                request.expiringCallback().orElse(null));
    }

    /** Checks every range of several requests at once, and sorts them. */
    List<LeaseSpec> specs(Collection<LeaseRequest> requests, Duration waitAtMost) {
        if (requests.isEmpty() || requests.size() > MOST_RESOURCES) {
            throw new IllegalArgumentException(
                    "1 to " + MOST_RESOURCES + " resources are locked together, but here are " + requests.size() + ".");
        }
        SortedMap<String, LeaseSpec> sorted = new TreeMap<>();
        for (LeaseRequest request : requests) {
            if (sorted.put(request.resource(), spec(request, waitAtMost)) != null) {
                throw new IllegalArgumentException("\"" + Printable.text(request.resource())
                        + "\" is named twice among the resources to be locked together. Name each once.");
            }
        }
        return List.copyOf(sorted.values());
    }

    private long lifetimeNanos(LeaseRequest request) {
        Duration lifetime = Objects.requireNonNull(request.maxLifetime(), "maxLifetime");
        boolean within = lifetime.compareTo(request.ttl()) >= 0 && lifetime.compareTo(maxLifetime) <= 0;
        if (!lifetime.isZero() && !within) {
            throw new IllegalArgumentException("A lease is renewed for its ttl (" + request.ttl() + ") to "
                    + maxLifetime + " (the builder's maxLifetime), but this one for " + lifetime + ".");
        }
        return lifetime.toNanos();
    }

    private static long expiryWarningNanos(LeaseRequest request) {
        Duration left = Objects.requireNonNull(request.expiryWarning(), "expiryWarning");
        boolean within = !left.isNegative() && !left.isZero() && left.compareTo(request.ttl()) < 0;
        if (request.expiringCallback().isPresent() && !within) {
            throw new IllegalArgumentException("A lease is called expiring when a time above 0 and less than the ttl ("
                    + request.ttl() + ") is left, but this one is " + left + ".");
        }
        return left.toNanos();
    }

    String resource(String resource) {
        Objects.requireNonNull(resource, "resource");
        if (resource.isEmpty()) {
            throw new IllegalArgumentException("A resource has 1 to 1024 bytes of UTF-8, but this one is empty.");
        }
        if (resource.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "A resource has no U+0000, but this one does at index " + resource.indexOf('\0') + ".");
        }
        int bytes;
        try {
            bytes = StandardCharsets.UTF_8
                    .newEncoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .encode(CharBuffer.wrap(resource))
                    .remaining();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "A resource is valid Unicode, but this one has half of a surrogate pair.", e);
        }
        if (bytes > LONGEST_RESOURCE) {
            throw new IllegalArgumentException("A resource has 1 to 1024 bytes of UTF-8, but this one has " + bytes
                    + ". Lock a hash of it instead.");
        }
        return resource;
    }

    long ttlMillis(Duration ttl) {
        Objects.requireNonNull(ttl, "ttl");
        if (ttl.compareTo(SHORTEST_TTL) < 0 || ttl.compareTo(maxTtl) > 0) {
            throw new IllegalArgumentException("A ttl is " + SHORTEST_TTL.toMillis() + " ms to " + maxTtl.toMillis()
                    + " ms (the builder's maxTtl), but this one is " + ttl + ".");
        }
        String objection = driftObjection(ttl);
        if (objection != null) {
            throw new IllegalArgumentException("No lease could be valid: " + objection);
        }
        return ttl.toMillis();
    }

    long waitNanos(Duration wait) {
        Objects.requireNonNull(wait, "waitAtMost");
        if (wait.isNegative() || wait.compareTo(LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException(
                    "A wait is 0 (one attempt) to " + LONGEST_WAIT.toHours() + " hours, but this one is " + wait + ".");
        }
        return wait.toNanos();
    }
}
