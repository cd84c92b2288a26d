package io.github.fencedwrite.internal.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * One attempt in a modelled world: the real machine, plus the connections it writes to. Each node has one connection that
 * carries commands and answers in order; a broken one leaves its unread commands behind, which the server may still
 * execute, and the next command opens a new one.
 *
 * <p>Three simplifications leave nothing out. Releases are not played, since a lock may expire at any moment. Answers other
 * than grants arrive as they are given: a yes or no is a fact about the node, and the later it is told the less the attempt
 * promises. After the decision all answers arrive at once, since what they set off may still be executed at any time.
 */
final class ModelAttempt {

    /** How the token is decided; the second one is the naive rule, to show that the checks notice it. */
    enum Rule {
        BALLOT,
        GREATEST_OF_A_QUORUM
    }

    private static final long FAR = 1_000_000_000_000L;

    final OwnerId owner;
    private final Rule rule;
    private final int nodes;
    private final long seed;
    private Attempt machine;
    private List<Event> history = List.of();
    private final List<List<Command>> sent = new ArrayList<>();
    private final List<List<Answer>> answers = new ArrayList<>();
    private final List<List<Command>> leftBehind = new ArrayList<>();
    private int granted;
    private long greatest;

    boolean begun;
    /** 0 while there is none. */
    long token;
    /** The greatest token known to be complete when this attempt began. */
    long floor;

    boolean decided;

    ModelAttempt(String owner, Rule rule, int nodes, long seed) {
        this.owner = new OwnerId(owner);
        this.rule = rule;
        this.nodes = nodes;
        this.seed = seed;
        this.machine = newMachine();
        for (int i = 0; i < nodes; i++) {
            sent.add(List.of());
            answers.add(List.of());
            leftBehind.add(List.of());
        }
    }

    ModelAttempt copy() {
        ModelAttempt copy = new ModelAttempt(owner.text(), rule, nodes, seed);
        copy.machine = machine; // replaced, never changed: see happens
        copy.history = history;
        for (int i = 0; i < nodes; i++) {
            copy.sent.set(i, sent.get(i));
            copy.answers.set(i, answers.get(i));
            copy.leftBehind.set(i, leftBehind.get(i));
        }
        copy.granted = granted;
        copy.greatest = greatest;
        copy.begun = begun;
        copy.token = token;
        copy.floor = floor;
        copy.decided = decided;
        return copy;
    }

    void begin(long floorNow) {
        begun = true;
        floor = floorNow;
        happens(new Event.Begin());
    }

    boolean canExecute(int node) {
        return answers.get(node).size() < sent.get(node).size();
    }

    void execute(int node, ModelNode server) {
        Command next = sent.get(node).get(answers.get(node).size());
        answers.set(node, append(answers.get(node), server.execute(next)));
        if (decided || !(next instanceof Command.Acquire)) {
            deliverAll(node);
        }
    }

    boolean canExecuteLeftBehind(int node) {
        return !leftBehind.get(node).isEmpty();
    }

    void executeLeftBehind(int node, ModelNode server) {
        server.execute(leftBehind.get(node).get(0));
        leftBehind.set(node, tail(leftBehind.get(node)));
    }

    boolean canDeliver(int node) {
        return !answers.get(node).isEmpty();
    }

    void deliver(int node) {
        Command command = sent.get(node).get(0);
        Answer answer = answers.get(node).get(0);
        sent.set(node, tail(sent.get(node)));
        answers.set(node, tail(answers.get(node)));
        answered(node, command, answer);
    }

    /** Whether a broken connection would make a difference. */
    boolean canBreak(int node) {
        return !decided && !sent.get(node).isEmpty();
    }

    /** Breaks the connection: no answer arrives any more, and what the server had not read it may still execute. */
    void breakConnection(int node) {
        List<Command> unanswered = sent.get(node);
        int executed = answers.get(node).size();
        leftBehind.set(node, concat(leftBehind.get(node), unanswered.subList(executed, unanswered.size())));
        sent.set(node, List.of());
        answers.set(node, List.of());
        unanswered.forEach(command -> answered(node, command, ModelNode.lostReply()));
    }

    void nodeRestarts(int node) {
        if (begun) {
            breakConnection(node);
        }
        leftBehind.set(node, List.of());
    }

    /** Only what can still make a difference: the machine of a decided attempt matters where an answer is to come. */
    String describe(int node) {
        boolean matters = begun && (!decided || (token != 0 && !sent.get(node).isEmpty()));
        return (matters ? machine.describe(node) : "") + sent.get(node) + answers.get(node) + leftBehind.get(node);
    }

    String describe() {
        return decided ? token + "" : begun ? machine.describe() + "/" + floor + "/" + granted + "/" + greatest : "-";
    }

    private void deliverAll(int node) {
        while (canDeliver(node)) {
            deliver(node);
        }
    }

    private void answered(int node, Command command, Answer answer) {
        if (answer instanceof Answer.Granted grant && token == 0) {
            granted++;
            greatest = Math.max(greatest, grant.counter());
        }
        happens(new Event.Answered(node, command, answer));
        if (rule == Rule.GREATEST_OF_A_QUORUM && granted >= nodes / 2 + 1 && !decided) {
            decide(greatest);
        }
    }

    private void decide(long decidedToken) {
        decided = true;
        token = decidedToken;
        for (int node = 0; node < nodes; node++) {
            deliverAll(node);
        }
    }

    /** States share machines, so an event is played on a machine of its own. */
    private void happens(Event event) {
        machine = newMachine();
        history.forEach(earlier -> machine.on(earlier, 0));
        history = append(history, event);
        Verdict verdict = null;
        for (Action action : machine.on(event, 0)) {
            if (action instanceof Action.Send send && !(send.command() instanceof Command.Release)) {
                sent.set(send.node(), append(sent.get(send.node()), send.command()));
            } else if (action instanceof Action.Decide decide && !decided) {
                verdict = decide.verdict();
            }
        }
        boolean naiveGrant = rule == Rule.GREATEST_OF_A_QUORUM && verdict instanceof Verdict.Held;
        if (verdict != null && !naiveGrant) {
            decide(verdict instanceof Verdict.Held held ? held.token() : 0);
        }
    }

    private Attempt newMachine() {
        return new Attempt(nodes, owner, FAR / 1_000_000, 0, seed);
    }

    private static <T> List<T> append(List<T> list, T element) {
        return concat(list, List.of(element));
    }

    private static <T> List<T> concat(List<T> first, List<? extends T> second) {
        List<T> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    private static <T> List<T> tail(List<T> list) {
        return list.subList(1, list.size()).stream().toList();
    }
}
