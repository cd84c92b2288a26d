package io.github.fencedwrite.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Random orders of more acquisitions on three and five nodes, some of which restart and forget. Replay with -Dseed=N. */
class TokenRandomTest {

    private static final int SCHEDULES = 20_000;
    /** A wrong rule is found within some thousand schedules; this many leave no room for bad luck. */
    private static final int SCHEDULES_OF_A_WRONG_RULE = 500_000;

    private static final int STEPS = 400;

    private final long seed = Long.getLong("seed", 0) == 0 ? System.nanoTime() : Long.getLong("seed");

    /** When a node may restart, and with what. */
    private enum Restarts {
        NEVER,
        /** Only while every complete token keeps a quorum that knows it, and no attempt is under way. */
        WITHIN_THE_SPARE_HOLDERS,
        /** At any moment between two attempts, as often as it likes. */
        BETWEEN_ATTEMPTS
    }

    @Test
    void tokensAreUniqueAndOrderedOnThreeNodes() {
        assertThat(play(3, ModelNode.Rule.RIGHT, ModelAttempt.Rule.BALLOT, Restarts.NEVER, false))
                .isEmpty();
    }

    @Test
    void tokensAreUniqueAndOrderedOnFiveNodes() {
        assertThat(play(5, ModelNode.Rule.RIGHT, ModelAttempt.Rule.BALLOT, Restarts.NEVER, false))
                .isEmpty();
    }

    @Test
    void tokensSurviveAsManyForgetfulNodesAsHoldersAreToSpareWithoutAnyClock() {
        assertThat(play(5, ModelNode.Rule.RIGHT, ModelAttempt.Rule.BALLOT, Restarts.WITHIN_THE_SPARE_HOLDERS, false))
                .isEmpty();
    }

    @Test
    void tokensSurviveAnyNumberOfForgetfulNodesWhileClocksAgree() {
        assertThat(play(3, ModelNode.Rule.RIGHT, ModelAttempt.Rule.BALLOT, Restarts.BETWEEN_ATTEMPTS, true))
                .isEmpty();
        assertThat(play(5, ModelNode.Rule.RIGHT, ModelAttempt.Rule.BALLOT, Restarts.BETWEEN_ATTEMPTS, true))
                .isEmpty();
    }

    @Test
    void theGreatestOfAQuorumWithoutBallotIsFoundWrong() {
        assertThat(play(3, ModelNode.Rule.RIGHT, ModelAttempt.Rule.GREATEST_OF_A_QUORUM, Restarts.NEVER, false))
                .isNotEmpty();
    }

    @Test
    void aRaiseWithoutConditionIsFoundWrong() {
        assertThat(play(3, ModelNode.Rule.RAISE_WITHOUT_CONDITION, ModelAttempt.Rule.BALLOT, Restarts.NEVER, false))
                .isNotEmpty();
    }

    @Test
    void counterWithoutRunIdIsFoundWrongWhenANodeComesBackWithAnOlderOne() {
        assertThat(play(3, ModelNode.Rule.NO_RUN_ID, ModelAttempt.Rule.BALLOT, Restarts.BETWEEN_ATTEMPTS, true))
                .isNotEmpty();
    }

    @Test
    void counterWithoutSeedIsFoundWrongWhenNodesForget() {
        assertThat(play(3, ModelNode.Rule.RIGHT, ModelAttempt.Rule.BALLOT, Restarts.BETWEEN_ATTEMPTS, false))
                .isNotEmpty();
    }

    /** Empty if no schedule goes wrong, else the first fault and the seed that shows it again. */
    private String play(
            int nodes, ModelNode.Rule nodeRule, ModelAttempt.Rule attemptRule, Restarts restarts, boolean seeded) {
        System.out.println("random tokens: seed " + seed);
        Random random = new Random(seed);
        boolean right = nodeRule == ModelNode.Rule.RIGHT
                && attemptRule == ModelAttempt.Rule.BALLOT
                && (seeded || restarts != Restarts.BETWEEN_ATTEMPTS);
        int schedules = right ? SCHEDULES : SCHEDULES_OF_A_WRONG_RULE;
        for (int schedule = 0; schedule < schedules; schedule++) {
            int attempts = 2 + random.nextInt(4);
            ModelWorld world = new ModelWorld(nodes, nodeRule, attempts, attemptRule, seeded);
            List<ModelNode> saved = world.nodes.stream().map(ModelNode::copy).toList();
            for (int step = 0; step < STEPS && !world.isOver(); step++) {
                if (random.nextInt(6) == 0 && restarts != Restarts.NEVER) {
                    restartOne(world, saved, restarts, random);
                } else if (random.nextInt(10) == 0) {
                    saved = world.nodes.stream().map(ModelNode::copy).toList();
                } else {
                    List<ModelWorld.Step> steps = world.steps();
                    ModelWorld.Step next = steps.get(random.nextInt(steps.size()));
                    // restarts need moments between two attempts, so these overlap less often there
                    if (restarts == Restarts.NEVER || !next.begins() || world.isIdle() || random.nextInt(20) == 0) {
                        world.take(next);
                    }
                }
                String fault = world.fault();
                if (!fault.isEmpty()) {
                    return "seed " + seed + ", schedule " + schedule + ": " + fault;
                }
            }
        }
        return "";
    }

    private static void restartOne(ModelWorld world, List<ModelNode> saved, Restarts restarts, RandomGenerator random) {
        if (!world.isIdle()) {
            return;
        }
        int node = random.nextInt(world.nodes.size());
        ModelNode old = random.nextBoolean() ? saved.get(node) : new ModelNode(ModelNode.Rule.RIGHT);
        if (restarts == Restarts.WITHIN_THE_SPARE_HOLDERS) {
            long token = world.greatestToken();
            long holders = world.nodes.stream().filter(n -> n.counter >= token).count();
            boolean holds = world.nodes.get(node).counter >= token && old.counter < token;
            if (holds && holders <= world.nodes.size() / 2 + 1) {
                return;
            }
        }
        world.restart(node, old);
    }
}
