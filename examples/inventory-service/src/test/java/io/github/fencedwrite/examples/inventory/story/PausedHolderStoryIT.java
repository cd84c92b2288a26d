package io.github.fencedwrite.examples.inventory.story;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("contract")
class PausedHolderStoryIT {

    @Test
    void losesTheSaleUnguardedAndRefusesTheStaleWriteGuarded() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        boolean asExpected = PausedHolderStory.run(new PrintStream(bytes, true, StandardCharsets.UTF_8));

        String story = bytes.toString(StandardCharsets.UTF_8);
        System.out.println(story);
        assertThat(asExpected).isTrue();
        assertThat(story.stripTrailing())
                .endsWith("""

                        unguarded: lost_updates=1 stale_writes_rejected=0
                        guarded: lost_updates=0 stale_writes_rejected=1""")
                .contains("is stopped (SIGSTOP to process ")
                .contains("stock(warehouse=berlin, sku=4712) was not written: token ");
    }
}
