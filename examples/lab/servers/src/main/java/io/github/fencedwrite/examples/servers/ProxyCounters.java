package io.github.fencedwrite.examples.servers;

/**
 * What went through a {@link Proxy} since it was opened.
 *
 * @param connections connections that were accepted
 * @param openConnections connections that are open now
 * @param bytesToServer bytes delivered to the server
 * @param bytesToClient bytes delivered to clients
 * @param commands commands of Redis that have begun to arrive, failed ones included; 0 where they are not understood
 * @param replies replies of Redis that have begun to arrive, failed ones included; 0 where they are not understood
 * @param faults ordered faults that have happened
 */
public record ProxyCounters(
        long connections,
        int openConnections,
        long bytesToServer,
        long bytesToClient,
        long commands,
        long replies,
        long faults) {}
