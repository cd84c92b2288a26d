package io.github.fencedwrite.examples.servers;

/**
 * One Redis server that can be broken on purpose. The address never changes, also over restarts. Thread safe.
 *
 * <p>A node whose address the user gave cannot be broken: the methods that would do so throw {@link ServersException}.
 */
public sealed interface RedisNode permits EmbeddedRedisNode, ContainerRedisNode, GivenRedisNode {

    /**
     * Returns the address as clients take it.
     *
     * @return {@code redis://host:port}, or what the user gave
     */
    String uri();

    /**
     * Returns the host part of the address.
     *
     * @return a name or a numeric address
     */
    String host();

    /**
     * Returns the port part of the address.
     *
     * @return 1 to 65535
     */
    int port();

    /**
     * Freezes the server: connections are still accepted by the kernel, nothing is answered (SIGSTOP).
     *
     * @throws ServersException if it does not run
     */
    void pause();

    /**
     * Lets a frozen server go on; it then executes what it was sent meanwhile (SIGCONT).
     *
     * @throws ServersException if it does not run
     */
    void resume();

    /** Ends the server at once, also a frozen one, without a chance to save anything (SIGKILL). Idempotent. */
    void kill();

    /**
     * Keeps a copy of the files that the node has on its disk at this moment, for {@link Data#SNAPSHOT}. A later call
     * replaces it. Works on a node that runs, is frozen or is dead.
     */
    void saveSnapshot();

    /**
     * Kills the server if it runs, starts it on the same port, and returns when it answers.
     *
     * @param data what the server finds on its disk
     * @throws ServersException if it does not come up, or if a snapshot is asked for and none was saved
     */
    void restart(Data data);

    /**
     * Tells whether the server's process exists, frozen or not.
     *
     * @return true after start and restart, false after kill and close
     */
    boolean isRunning();
}
