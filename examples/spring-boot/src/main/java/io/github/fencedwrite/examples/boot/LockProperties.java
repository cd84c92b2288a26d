package io.github.fencedwrite.examples.boot;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the locks.
 *
 * @param nodes addresses of the Redis nodes
 * @param ttl how long a lease lasts, longer than the work under it usually takes
 * @param waitAtMost how long a request waits for another holder
 * @param quarantine false only where the nodes are started together with this service, as in tests
 */
@ConfigurationProperties("locks")
record LockProperties(
        List<String> nodes,
        @DefaultValue("10s") Duration ttl,
        @DefaultValue("20s") Duration waitAtMost,
        @DefaultValue("true") boolean quarantine) {}
