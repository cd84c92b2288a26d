package io.github.fencedwrite.examples.inventory.page;

import io.github.fencedwrite.examples.inventory.story.ClockJump;
import io.github.fencedwrite.examples.inventory.story.NodeRestart;
import io.github.fencedwrite.examples.inventory.story.PausedHolder;
import io.github.fencedwrite.examples.inventory.story.ReadModifyWrite;
import io.github.fencedwrite.examples.inventory.story.Story;
import java.util.Arrays;
import java.util.Optional;

/** The stories that the page offers. */
enum StoryKind {
    PAUSED_HOLDER("paused-holder", new PausedHolder()),
    CLOCK_JUMP("clock-jump", new ClockJump()),
    NODE_RESTART("node-restart", new NodeRestart()),
    READ_MODIFY_WRITE("read-modify-write", new ReadModifyWrite());

    private final String id;
    private final Story story;

    StoryKind(String id, Story story) {
        this.id = id;
        this.story = story;
    }

    /** Its part of an address. */
    String id() {
        return id;
    }

    Story story() {
        return story;
    }

    static Optional<StoryKind> find(String id) {
        return Arrays.stream(values()).filter(each -> each.id.equals(id)).findFirst();
    }
}
