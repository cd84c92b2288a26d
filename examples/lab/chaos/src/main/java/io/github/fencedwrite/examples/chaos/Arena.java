package io.github.fencedwrite.examples.chaos;

import io.github.fencedwrite.examples.chaos.nemesis.Site;
import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import java.util.ArrayList;
import java.util.List;

/** The servers of one run, all of them new and on loopback. */
final class Arena implements AutoCloseable {

    private final List<Site> sites = new ArrayList<>();
    private final Postgres postgres;
    private final PostgresDatabase database;

    Arena(int nodes) {
        postgres = Postgres.start();
        database = postgres.newDatabase();
        for (int i = 0; i < nodes; i++) {
            sites.add(Site.open());
        }
    }

    List<Site> sites() {
        return sites;
    }

    List<String> nodes() {
        return sites.stream().map(Site::uri).toList();
    }

    PostgresDatabase database() {
        return database;
    }

    void crashDatabase() {
        postgres.restart();
    }

    @Override
    public void close() {
        sites.forEach(Site::close);
        postgres.close();
    }
}
