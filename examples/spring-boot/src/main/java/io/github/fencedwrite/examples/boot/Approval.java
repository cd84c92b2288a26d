package io.github.fencedwrite.examples.boot;

/** The slow part between reading and writing: a credit check, a call to another service. */
@FunctionalInterface
interface Approval {

    boolean approves(Product product, int quantity);
}
