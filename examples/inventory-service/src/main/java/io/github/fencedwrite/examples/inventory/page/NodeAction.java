package io.github.fencedwrite.examples.inventory.page;

import io.github.fencedwrite.examples.inventory.local.LocalNode;
import io.github.fencedwrite.examples.inventory.story.ClockJump;
import java.util.function.Consumer;

/** What the page can do to a node. */
enum NodeAction {
    STOP("is killed", LocalNode::stop),
    FREEZE("is frozen (SIGSTOP)", LocalNode::freeze),
    START("runs again, with its data", LocalNode::start),
    WIPE("is back without its data", LocalNode::wipe),
    JUMP(
            "has a clock that jumps ahead by " + ClockJump.JUMP.toSeconds() + " s",
            node -> node.setClockAhead(node.clockAhead().plus(ClockJump.JUMP)));

    private final String done;
    private final Consumer<LocalNode> effect;

    NodeAction(String done, Consumer<LocalNode> effect) {
        this.done = done;
        this.effect = effect;
    }

    /** What happened, for people. */
    String done() {
        return done;
    }

    void apply(LocalNode node) {
        effect.accept(node);
    }
}
