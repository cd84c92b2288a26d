package io.github.fencedwrite.migrations;

import java.util.List;

/**
 * What an installation did.
 *
 * @param version the version of the schema's functions now, 1 or more
 * @param applied names of the scripts that were run, in order; empty if everything was up to date
 */
public record InstallResult(int version, List<String> applied) {

    public InstallResult {
        applied = List.copyOf(applied);
    }
}
