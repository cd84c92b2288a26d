/**
 * Plays the real state machine in a world of simulated nodes, connections and clocks, where one seed decides everything.
 * No thread, socket or real clock may live here, apart from the campaign that plays many worlds at once.
 */
package io.github.fencedwrite.internal.simulation;
