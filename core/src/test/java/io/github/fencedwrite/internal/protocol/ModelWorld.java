package io.github.fencedwrite.internal.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Modelled nodes and attempts on one resource, and every step that can happen next. */
final class ModelWorld {

    final List<ModelNode> nodes = new ArrayList<>();
    final List<ModelAttempt> attempts = new ArrayList<>();
    private Trace trace = new Trace(null, "");

    /**
     * @param seeded whether attempts bring a seed from clocks that agree, so that a later attempt has a greater one; else 0
     */
    ModelWorld(
            int nodeCount, ModelNode.Rule nodeRule, int attemptCount, ModelAttempt.Rule attemptRule, boolean seeded) {
        for (int i = 0; i < nodeCount; i++) {
            nodes.add(new ModelNode(nodeRule));
        }
        for (int i = 0; i < attemptCount; i++) {
            attempts.add(new ModelAttempt(
                    String.valueOf((char) ('A' + i)), attemptRule, nodeCount, seeded ? 1_000 * (i + 1) : 0));
        }
    }

    private ModelWorld(ModelWorld original) {
        original.nodes.forEach(node -> nodes.add(node.copy()));
        original.attempts.forEach(attempt -> attempts.add(attempt.copy()));
        trace = original.trace;
    }

    ModelWorld after(Step step) {
        ModelWorld next = new ModelWorld(this);
        next.take(step);
        return next;
    }

    void take(Step step) {
        trace = new Trace(trace, step.name());
        step.change().accept(this);
    }

    /** The steps that are possible now, apart from restarts. */
    List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        for (int a = 0; a < attempts.size(); a++) {
            int i = a;
            ModelAttempt attempt = attempts.get(a);
            if (!attempt.begun) {
                steps.add(new Step(
                        attempt.owner + " begins", w -> w.attempts.get(i).begin(w.greatestToken())));
                break; // attempts are alike, so they begin in the order of their names
            }
            for (int n = 0; n < nodes.size(); n++) {
                int node = n;
                String where = attempt.owner + " at node " + n;
                if (attempt.canExecute(n)) {
                    steps.add(
                            new Step(where + " executes", w -> w.attempts.get(i).execute(node, w.nodes.get(node))));
                }
                if (attempt.canExecuteLeftBehind(n)) {
                    steps.add(new Step(
                            where + " executes a command of a broken connection",
                            w -> w.attempts.get(i).executeLeftBehind(node, w.nodes.get(node))));
                }
                if (attempt.canDeliver(n)) {
                    steps.add(
                            new Step(where + " answers", w -> w.attempts.get(i).deliver(node)));
                }
                if (attempt.canBreak(n)) {
                    steps.add(new Step(
                            where + " loses connection", w -> w.attempts.get(i).breakConnection(node)));
                }
            }
        }
        for (int n = 0; n < nodes.size(); n++) {
            int node = n;
            if (nodes.get(n).lock != null) {
                steps.add(new Step(
                        "lock on node " + n + " expires", w -> w.nodes.get(node).expire()));
            }
        }
        return steps;
    }

    /** The node stops and comes back with what {@code saved} holds; connections break, unread commands are gone. */
    void restart(int node, ModelNode saved) {
        trace = new Trace(trace, "node " + node + " restarts with counter " + saved.counter);
        nodes.get(node).restartFrom(saved);
        for (ModelAttempt attempt : attempts) {
            attempt.nodeRestarts(node);
        }
    }

    /** No attempt is between its begin and its decision. */
    boolean isIdle() {
        return attempts.stream().noneMatch(attempt -> attempt.begun && !attempt.decided);
    }

    /** No token can come any more. */
    boolean isOver() {
        return attempts.stream().allMatch(attempt -> attempt.decided);
    }

    long greatestToken() {
        return attempts.stream().mapToLong(attempt -> attempt.token).max().orElse(0);
    }

    /** Empty if tokens are unique and ordered, else what is wrong and how it came about. */
    String fault() {
        for (ModelAttempt attempt : attempts) {
            if (attempt.token != 0 && attempt.token <= attempt.floor) {
                return attempt.owner + " has token " + attempt.token + " although " + attempt.floor
                        + " was complete before it began\n" + trace;
            }
            for (ModelAttempt other : attempts) {
                if (other != attempt && attempt.token != 0 && attempt.token == other.token) {
                    return attempt.owner + " and " + other.owner + " share token " + attempt.token + "\n" + trace;
                }
            }
        }
        return "";
    }

    /** Equal for equal states; nodes are interchangeable. */
    String fingerprint() {
        String[] perNode = new String[nodes.size()];
        Arrays.setAll(
                perNode,
                i -> nodes.get(i).describe()
                        + attempts.stream().map(a -> a.describe(i)).collect(Collectors.joining("|")));
        Arrays.sort(perNode);
        return attempts.stream().map(ModelAttempt::describe).collect(Collectors.joining("|"))
                + String.join("#", perNode);
    }

    /** How a state came about, the last step first. */
    private record Trace(@Nullable Trace before, String step) {
        @Override
        public String toString() {
            return before == null ? "" : before + step + "\n";
        }
    }

    /** One thing that can happen. */
    record Step(String name, Consumer<ModelWorld> change) {

        boolean begins() {
            return name.endsWith(" begins");
        }
    }
}
