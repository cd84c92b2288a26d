package io.github.fencedwrite.internal.simulation;

/** A promise was broken. */
final class Violation extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Violation(String message) {
        super(message);
    }
}
