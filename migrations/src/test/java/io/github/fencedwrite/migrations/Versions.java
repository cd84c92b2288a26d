package io.github.fencedwrite.migrations;

/** Databases as other versions of this library leave them. */
final class Versions {

    private Versions() {}

    /** As after a later release with other functions. */
    static void pretendNewer(TestDatabase database) {
        database.run(
                "CREATE OR REPLACE FUNCTION fencing.version() RETURNS integer LANGUAGE sql RETURN 1000",
                "UPDATE fencing.flyway_schema_history SET checksum = 4711 WHERE version IS NULL");
    }

    /** As after an earlier release with other functions. */
    static void pretendOlder(TestDatabase database) {
        database.run(
                "CREATE OR REPLACE FUNCTION fencing.version() RETURNS integer LANGUAGE sql RETURN 0",
                "CREATE OR REPLACE FUNCTION fencing.guard() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
                "UPDATE fencing.flyway_schema_history SET checksum = 4711 WHERE version IS NULL");
    }
}
