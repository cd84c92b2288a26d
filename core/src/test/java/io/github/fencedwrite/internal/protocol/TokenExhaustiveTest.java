package io.github.fencedwrite.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Every order in which two acquisitions on three nodes can run, with locks that expire at any moment and lost replies. */
class TokenExhaustiveTest {

    private static final int LIMIT = 1_000_000;

    private int states;

    @Test
    void tokensAreUniqueAndOrderedInEveryState() {
        String fault = explore(new ModelWorld(3, ModelNode.Rule.RIGHT, 2, ModelAttempt.Rule.BALLOT, false));

        System.out.println("exhaustive: " + states + " states of 3 nodes and 2 acquisitions");
        assertThat(fault).isEmpty();
        assertThat(states).isBetween(10_000, LIMIT);
    }

    @Test
    void theGreatestOfAQuorumWithoutBallotIsFoundWrong() {
        String fault =
                explore(new ModelWorld(3, ModelNode.Rule.RIGHT, 2, ModelAttempt.Rule.GREATEST_OF_A_QUORUM, false));

        assertThat(fault).isNotEmpty();
    }

    @Test
    void aRaiseWithoutConditionIsFoundWrong() {
        String fault =
                explore(new ModelWorld(3, ModelNode.Rule.RAISE_WITHOUT_CONDITION, 2, ModelAttempt.Rule.BALLOT, false));

        assertThat(fault).isNotEmpty();
    }

    private String explore(ModelWorld start) {
        Set<UUID> seen = new HashSet<>();
        Deque<ModelWorld> open = new ArrayDeque<>();
        open.add(start);
        while (!open.isEmpty() && states < LIMIT) {
            ModelWorld world = open.removeFirst();
            for (ModelWorld.Step step : world.steps()) {
                ModelWorld next = world.after(step);
                if (seen.add(digest(next.fingerprint()))) {
                    states++;
                    String fault = next.fault();
                    if (!fault.isEmpty()) {
                        return fault;
                    }
                    if (!next.isOver()) {
                        open.add(next);
                    }
                }
            }
        }
        return "";
    }

    /** 128 bits stand for a state: at a million states the chance that two different ones meet is below 1e-26. */
    private static UUID digest(String fingerprint) {
        return UUID.nameUUIDFromBytes(fingerprint.getBytes(StandardCharsets.UTF_8));
    }
}
