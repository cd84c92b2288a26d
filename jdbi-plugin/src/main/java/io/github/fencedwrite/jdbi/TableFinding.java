package io.github.fencedwrite.jdbi;

/**
 * Something to know about a fenced table.
 *
 * @param severity {@code error} if guards do not work there, {@code warning} for a way around them or a cost, {@code info}
 * @param table the table, as it was asked about
 * @param code a stable name of the finding
 * @param finding what was found
 * @param fix what to do about it
 */
public record TableFinding(String severity, String table, String code, String finding, String fix) {}
