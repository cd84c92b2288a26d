package io.github.fencedwrite.migrations;

import java.util.concurrent.atomic.AtomicInteger;

/** Roles of a test; they belong to the server, so each gets a name of its own. */
final class Roles {

    static final String PASSWORD = "fenced";

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final long RUN = System.nanoTime();

    private Roles() {}

    /** A role that may log in and nothing else. */
    static String plain(TestDatabase database) {
        String role = "role_" + Long.toString(RUN, 36) + "_" + NUMBERS.incrementAndGet();
        database.run("CREATE ROLE " + role + " LOGIN PASSWORD '" + PASSWORD + "'");
        return role;
    }
}
