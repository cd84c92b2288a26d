package io.github.fencedwrite.examples.inventory.page;

import io.github.fencedwrite.examples.inventory.story.ClockJump;
import io.github.fencedwrite.examples.inventory.story.NodeRestart;
import io.github.fencedwrite.examples.inventory.story.PausedHolder;
import io.github.fencedwrite.examples.inventory.story.ReadModifyWrite;
import io.github.fencedwrite.examples.inventory.story.Story;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The stories that the page offers. */
enum StoryKind {
    PAUSED_HOLDER,
    CLOCK_JUMP,
    NODE_RESTART,
    READ_MODIFY_WRITE;

    /** Its part of an address. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Story story() {
        return switch (this) {
            case PAUSED_HOLDER -> new PausedHolder();
            case CLOCK_JUMP -> new ClockJump();
            case NODE_RESTART -> new NodeRestart();
            case READ_MODIFY_WRITE -> new ReadModifyWrite();
        };
    }

    static Optional<StoryKind> find(String id) {
        return Arrays.stream(values()).filter(each -> each.id().equals(id)).findFirst();
    }
}
