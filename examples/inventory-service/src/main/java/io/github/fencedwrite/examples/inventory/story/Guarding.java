package io.github.fencedwrite.examples.inventory.story;

/** Whether writes carry the token. */
enum Guarding {
    UNGUARDED,
    GUARDED;

    /** The article that is sold in this half of the story. */
    String sku() {
        return this == UNGUARDED ? "4711" : "4712";
    }

    String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
