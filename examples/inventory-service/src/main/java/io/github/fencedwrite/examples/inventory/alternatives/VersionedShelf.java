package io.github.fencedwrite.examples.inventory.alternatives;

import org.jdbi.v3.core.Jdbi;

/**
 * An optimistic version column. Right where conflicts are rare and the work can be repeated: nobody waits, and who
 * comes second begins anew. A version says that somebody has written, not who is newer: of two, the one that writes
 * first wins.
 */
final class VersionedShelf {

    private final Jdbi jdbi;

    VersionedShelf(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    boolean take(String sku, int quantity) {
        while (true) {
            Shelf before =
                    jdbi.withHandle(handle -> handle.select("SELECT available, version FROM shelf WHERE sku = ?", sku)
                            .map((row, context) -> new Shelf(row.getInt("available"), row.getLong("version")))
                            .one());
            if (before.available() < quantity) {
                return false;
            }
            int written = jdbi.withHandle(handle -> handle.execute(
                    "UPDATE shelf SET available = ?, version = version + 1 WHERE sku = ? AND version = ?",
                    before.available() - quantity,
                    sku,
                    before.version()));
            if (written == 1) {
                return true;
            }
        }
    }

    private record Shelf(int available, long version) {}
}
