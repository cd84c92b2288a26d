package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The database's refusals, as assertions. */
final class Refusals {

    private Refusals() {}

    /** A refusal by PostgreSQL itself. */
    static SqlFailure failed(String state, ThrowingCallable what) {
        SqlFailure failure = catchThrowableOfType(SqlFailure.class, what);
        assertThat(failure).as("a refusal with SQLSTATE %s", state).isNotNull();
        assertThat(failure.state()).as(failure.getMessage()).isEqualTo(state);
        return failure;
    }

    /** A refusal by fencing, which always says what to do. */
    static SqlFailure refused(String state, ThrowingCallable what) {
        SqlFailure failure = failed(state, what);
        assertThat(failure.hint())
                .as("what to do about: " + failure.getMessage())
                .isNotBlank();
        return failure;
    }
}
