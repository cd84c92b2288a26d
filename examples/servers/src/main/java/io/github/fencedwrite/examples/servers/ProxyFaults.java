package io.github.fencedwrite.examples.servers;

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

    void failCommand(int k, CommandFault fault) {
        failingCommand = commands + k;
        commandFault = fault;
    }

    void failReply(int k, ReplyFault fault) {
        failingReply = replies + k;
        replyFault = fault;
    }

    void clear() {
        commandFault = null;
        replyFault = null;
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
