package io.github.fencedwrite;

import java.util.List;
import java.util.stream.Collectors;

/** The nodes or their configuration make locking unsafe, so no client was built. */
public final class PreflightException extends FencedWriteException {

    private static final long serialVersionUID = 1L;

    private final transient List<Finding> findings;

    /** For the library itself. */
    public PreflightException(List<Finding> findings) {
        super(findings.stream()
                .filter(finding -> finding.severity() == Finding.Severity.FATAL)
                .map(Finding::toString)
                .collect(Collectors.joining(
                        "\n  ",
                        "The preflight found what makes locking unsafe. Mend it, or start all the same with"
                                + " builder.preflight(PreflightMode.REPORT).\n  ",
                        "")));
        this.findings = List.copyOf(findings);
    }

    /** All findings, the harmless ones included; empty after deserialization. */
    public List<Finding> findings() {
        return findings == null ? List.of() : findings;
    }
}
