package io.github.fencedwrite.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The limit that the README states, on three nodes with a quorum of two: a token that h nodes hold survives h − 2 nodes that
 * forget, and a node holds it if this acquisition moved its counter there, or if the counter is beyond.
 */
class ForgetfulNodesTest {

    private final List<ModelNode> nodes = new ArrayList<>();
    private final Client one = new Client("one");
    private final Client two = new Client("two");

    ForgetfulNodesTest() {
        for (int i = 0; i < 3; i++) {
            ModelNode node = new ModelNode(ModelNode.Rule.RIGHT);
            node.counter = 6;
            node.storedRun = node.run;
            nodes.add(node);
        }
    }

    @Test
    void aNodeThatThisAcquisitionMovedHoldsTheTokenSoThatOneOfThreeMayForget() {
        assertThat(one.acquires(0, 1)).isEqualTo(7);
        one.lifts(2, 7);
        nodes.get(0).restartFrom(new ModelNode(ModelNode.Rule.RIGHT));

        assertThat(two.acquires(0, 2)).isEqualTo(8);
    }

    @Test
    void aNodeThatAnotherAcquisitionMovedToTheSameValueIsNoHolderSoThatNoneMayForget() {
        assertThat(one.acquires(0, 1)).isEqualTo(7);
        assertThat(two.acquires(2)).isZero();
        one.lifts(2, 7);
        assertThat(nodes).extracting(node -> node.counter).containsExactly(7L, 7L, 7L);
        nodes.get(0).restartFrom(new ModelNode(ModelNode.Rule.RIGHT));

        // counted by the value alone, three nodes held it and one might have forgotten
        assertThat(two.acquires(0)).isEqualTo(7);
    }

    @Test
    void aNodeThatIsBeyondTheTokenHoldsItWhoeverMovedIt() {
        assertThat(one.acquires(0, 1)).isEqualTo(7);
        nodes.get(2).counter = 8;
        nodes.get(0).restartFrom(new ModelNode(ModelNode.Rule.RIGHT));

        assertThat(two.acquires(0, 2)).isEqualTo(9);
    }

    /** One attempt, which reaches the nodes it is told to. */
    private final class Client {

        final OwnerId owner;
        final Attempt attempt;
        boolean begun;
        long token;

        Client(String name) {
            owner = new OwnerId(name);
            attempt = new Attempt(3, owner, 1_000, 0, 0);
        }

        /** The token, 0 if there is none yet. */
        long acquires(int... reached) {
            if (!begun) {
                begun = true;
                attempt.on(new Event.Begin(), 0);
            }
            for (int node : reached) {
                send(node, new Command.Acquire(owner, 1_000, 0));
            }
            return token;
        }

        void lifts(int node, long to) {
            assertThat(nodes.get(node).execute(new Command.Lift(to))).isEqualTo(new Answer.Yes());
        }

        private void send(int node, Command command) {
            Answer answer = nodes.get(node).execute(command);
            for (Action action : attempt.on(new Event.Answered(node, command, answer), 0)) {
                if (action instanceof Action.Send next && next.command() instanceof Command.Raise) {
                    send(next.node(), next.command());
                } else if (action instanceof Action.Decide decide && decide.verdict() instanceof Verdict.Held held) {
                    token = held.token();
                }
            }
        }
    }
}
