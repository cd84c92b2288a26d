package io.github.fencedwrite.migrations;

/** Strict enforcement on a token column whose name needs quotes, and more bytes than a trigger's name has room for. */
class StrictOnOddColumnIT extends StrictContract {

    StrictOnOddColumnIT() {
        super("Sperr \"Marke\" mit einem Namen von mehr als vierzig Bytes");
    }
}
