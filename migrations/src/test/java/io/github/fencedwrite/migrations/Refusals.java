package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The database's refusals, as assertions. */
final class Refusals {

    private Refusals() {}

    static SqlFailure refused(String state, ThrowingCallable what) {
        SqlFailure failure = catchThrowableOfType(SqlFailure.class, what);
        assertThat(failure).as("a refusal with SQLSTATE " + state).isNotNull();
        assertThat(failure.state()).as(failure.getMessage()).isEqualTo(state);
        assertThat(failure.hint())
                .as("what to do about: " + failure.getMessage())
                .isNotBlank();
        return failure;
    }
}
