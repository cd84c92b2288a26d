package io.github.fencedwrite.migrations;

/** Strict enforcement on the usual token column. */
class StrictIT extends StrictContract {

    StrictIT() {
        super("last_token");
    }
}
