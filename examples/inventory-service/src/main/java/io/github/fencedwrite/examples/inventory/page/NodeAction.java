package io.github.fencedwrite.examples.inventory.page;

import io.github.fencedwrite.examples.inventory.local.LocalNode;
import io.github.fencedwrite.examples.inventory.story.ClockJump;

/** What the page can do to a node. */
enum NodeAction {
    STOP("is killed"),
    FREEZE("is frozen (SIGSTOP)"),
    START("runs again, with its data"),
    WIPE("is back without its data"),
    JUMP("has a clock that jumps ahead by " + ClockJump.JUMP.toSeconds() + " s");

    private final String done;

    NodeAction(String done) {
        this.done = done;
    }

    /** What happened, for people. */
    String done() {
        return done;
    }

    void apply(LocalNode node) {
        switch (this) {
            case STOP -> node.stop();
            case FREEZE -> node.freeze();
            case START -> node.start();
            case WIPE -> node.wipe();
            case JUMP -> node.setClockAhead(node.clockAhead().plus(ClockJump.JUMP));
        }
    }
}
