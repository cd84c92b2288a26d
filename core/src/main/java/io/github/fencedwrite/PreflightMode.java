package io.github.fencedwrite;

/** What building a client does about the preflight. */
public enum PreflightMode {
    /** Runs it, logs the findings, and refuses to start on fatal ones. */
    REFUSE,
    /** Runs it and logs the findings. */
    REPORT,
    /** Does not run it. */
    OFF
}
