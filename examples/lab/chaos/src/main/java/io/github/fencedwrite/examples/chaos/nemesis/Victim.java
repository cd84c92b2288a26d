package io.github.fencedwrite.examples.chaos.nemesis;

/** A worker process, as far as it can be broken. */
public interface Victim {

    /** The name under which its database sessions are known; changes when it is started again. */
    String name();

    /** Stops the process as a whole, as a frozen machine would (SIGSTOP). */
    void stop();

    /** Lets it go on (SIGCONT). */
    void goOn();

    /** Kills it (SIGKILL). */
    void kill();

    /** Starts a new process in its place. */
    void startAgain();
}
