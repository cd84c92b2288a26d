package io.github.fencedwrite.examples.servers;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Counts the commands and replies of a proxy and picks those that are to fail. Guarded by the lock of the loop. */
final class ProxyFaults {

    private long commands;
    private long replies;
    private long happened;
    private long failingCommand;
    private long failingReply;
    private @Nullable CommandFault commandFault;
    private @Nullable ReplyFault replyFault;
    private @Nullable Chosen<CommandFault> chosenCommand;
    private @Nullable Chosen<ReplyFault> chosenReply;
    private @Nullable Consumer<ProxyCommand> watcher;

    /** What is to happen to the next command, or to its reply, that looks as wanted. */
    private record Chosen<F>(Predicate<List<String>> which, F fault) {}

    void failCommand(int k, CommandFault fault) {
        failingCommand = commands + k;
        commandFault = fault;
    }

    void failReply(int k, ReplyFault fault) {
        failingReply = replies + k;
        replyFault = fault;
    }

    void failCommand(Predicate<List<String>> which, CommandFault fault) {
        chosenCommand = new Chosen<>(which, fault);
    }

    void failReply(Predicate<List<String>> which, ReplyFault fault) {
        chosenReply = new Chosen<>(which, fault);
    }

    void watch(Consumer<ProxyCommand> whoever) {
        watcher = whoever;
    }

    void clear() {
        commandFault = null;
        replyFault = null;
        chosenCommand = null;
        chosenReply = null;
    }

    /** Whether somebody wants to know the words of commands. */
    boolean wantsWords() {
        return chosenCommand != null || chosenReply != null || watcher != null;
    }

    /** A command is complete; called before {@link #ofCommand} and {@link #ofReplyTo}. */
    void passing(ProxyCommand command) {
        if (watcher != null) {
            watcher.accept(command);
        }
    }

    @Nullable CommandFault ofCommand(List<String> words) {
        Chosen<CommandFault> chosen = chosenCommand;
        if (chosen == null || !chosen.which.test(words)) {
            return null;
        }
        chosenCommand = null;
        happened++;
        return chosen.fault;
    }

    @Nullable ReplyFault ofReplyTo(List<String> words) {
        Chosen<ReplyFault> chosen = chosenReply;
        if (chosen == null || !chosen.which.test(words)) {
            return null;
        }
        chosenReply = null;
        happened++;
        return chosen.fault;
    }

    @Nullable CommandFault nextCommand() {
        commands++;
        CommandFault fault = commandFault;
        if (fault == null || commands != failingCommand) {
            return null;
        }
        commandFault = null;
        happened++;
        return fault;
    }

    @Nullable ReplyFault nextReply() {
        replies++;
        ReplyFault fault = replyFault;
        if (fault == null || replies != failingReply) {
            return null;
        }
        replyFault = null;
        happened++;
        return fault;
    }

    long commands() {
        return commands;
    }

    long replies() {
        return replies;
    }

    long happened() {
        return happened;
    }
}
