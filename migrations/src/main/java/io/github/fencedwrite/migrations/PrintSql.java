package io.github.fencedwrite.migrations;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Prints the plain SQL file, {@link FencingMigrations#plainSql()}, to standard output: the main class of the jar, for
 * people who install with psql or another tool. Needs nothing but the jar.
 */
public final class PrintSql {

    private PrintSql() {}

    /** Prints the file; takes no arguments. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        out.print(FencingMigrations.plainSql());
        out.flush();
    }
}
