package io.github.fencedwrite.internal.redis;

import io.github.fencedwrite.NodeFailure;
import io.github.fencedwrite.internal.protocol.Answer;
import io.github.fencedwrite.internal.protocol.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;

/** Something that a node is asked, and who hears the reply. Used in steps of the loop only. */
abstract class Request {

    /** When it was written into the outbox. */
    long writtenAt;

    /** It was sent again since the server had forgotten the script. */
    boolean resent;

    /** The command; EVAL instead of EVALSHA if {@code inFull}. */
    abstract CommandArguments encode(boolean inFull);

    /** The server replied, maybe with an error. */
    abstract void answered(@Nullable Object reply);

    /** There will be no reply. */
    abstract void failed(NodeFailure failure, boolean mayHaveRun);

    /** About how many bytes it has. */
    abstract int size();

    /** Whether it must not be overtaken by {@code other}, which was sent before it. */
    boolean isBehind(Request other) {
        return false;
    }

    /** A command of the protocol. */
    static final class ScriptCall extends Request {

        private static final int WITHOUT_KEYS = 250;

        private final Node node;
        private final ReplyHandler sender;
        final Command command;
        final ResourceKeys keys;
        private final byte[] runId;

        ScriptCall(Node node, ReplyHandler sender, Command command, ResourceKeys keys, byte[] runId) {
            this.node = node;
            this.sender = sender;
            this.command = command;
            this.keys = keys;
            this.runId = runId;
        }

        @Override
        CommandArguments encode(boolean inFull) {
            return node.encoding().encode(command, keys, runId, inFull);
        }

        @Override
        void answered(@Nullable Object reply) {
            sender.answered(node.index(), command, Replies.answer(command, reply));
        }

        @Override
        void failed(NodeFailure failure, boolean mayHaveRun) {
            sender.answered(node.index(), command, new Answer.Failed(failure, mayHaveRun));
        }

        @Override
        int size() {
            return WITHOUT_KEYS + 3 * keys.lock().length;
        }

        @Override
        boolean isBehind(Request other) {
            return other instanceof ScriptCall call && call.sender == sender;
        }
    }

    /** The extensions of many leases in one command. */
    static final class Extensions extends Request {

        private final Node node;
        private final List<ScriptCall> calls;

        Extensions(Node node, List<ScriptCall> calls) {
            this.node = node;
            this.calls = calls;
        }

        @Override
        CommandArguments encode(boolean inFull) {
            List<Command.Extend> extensions = new ArrayList<>(calls.size());
            List<ResourceKeys> keys = new ArrayList<>(calls.size());
            for (ScriptCall call : calls) {
                extensions.add((Command.Extend) call.command);
                keys.add(call.keys);
            }
            return node.encoding().extensions(extensions, keys, inFull);
        }

        @Override
        void answered(@Nullable Object reply) {
            if (reply instanceof List<?> each && each.size() == calls.size()) {
                answerEach(i -> calls.get(i).answered(each.get(i)));
            } else {
                answerEach(i -> calls.get(i).answered(reply));
            }
        }

        /** All of them, whatever becomes of one. */
        private void answerEach(IntConsumer answer) {
            Throwable first = null;
            for (int i = 0; i < calls.size(); i++) {
                try {
                    answer.accept(i);
                } catch (RuntimeException | Error e) {
                    first = first == null ? e : first;
                }
            }
            if (first instanceof Error error) {
                throw error;
            } else if (first instanceof RuntimeException exception) {
                throw exception;
            }
        }

        @Override
        void failed(NodeFailure failure, boolean mayHaveRun) {
            answerEach(i -> calls.get(i).failed(failure, mayHaveRun));
        }

        @Override
        int size() {
            return calls.stream().mapToInt(ScriptCall::size).sum();
        }
    }

    /** A question of the client's own. */
    static final class Question extends Request {

        private final CommandArguments command;
        private final Answered answered;

        Question(CommandArguments command, Answered answered) {
            this.command = command;
            this.answered = answered;
        }

        @Override
        CommandArguments encode(boolean inFull) {
            return command;
        }

        @Override
        void answered(@Nullable Object reply) {
            answered.with(this, reply, null);
        }

        @Override
        void failed(NodeFailure failure, boolean mayHaveRun) {
            answered.with(this, null, failure);
        }

        @Override
        int size() {
            return 100;
        }

        /** Takes the reply, or why there is none. */
        interface Answered {

            void with(Question question, @Nullable Object reply, @Nullable NodeFailure failure);
        }
    }

    /** Begins or ends to listen to a channel; confirmed by a message, not by a reply. */
    static final class Listening extends Request {

        private final CommandArguments command;

        Listening(CommandArguments command) {
            this.command = command;
        }

        @Override
        CommandArguments encode(boolean inFull) {
            return command;
        }

        @Override
        void answered(@Nullable Object reply) {
            // refused: without the right to listen, those who wait look again by themselves
        }

        @Override
        void failed(NodeFailure failure, boolean mayHaveRun) {}

        @Override
        int size() {
            return 100;
        }
    }
}
