package io.github.fencedwrite.examples.servers;

import java.util.List;

/**
 * A command of Redis on its way through a {@link Proxy}.
 *
 * @param connection which of the proxy's connections it came over, from 1
 * @param words the command's name and its arguments, read as UTF-8
 */
public record ProxyCommand(long connection, List<String> words) {}
