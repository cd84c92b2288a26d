package io.github.fencedwrite.examples.boot;

import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.jdbi.InsufficientValidityException;
import io.github.fencedwrite.jdbi.LeaseNotHeldException;
import io.github.fencedwrite.jdbi.StaleTokenException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Says to the client what went wrong and what to do. Whatever arrives here has changed nothing. */
@RestControllerAdvice
class Problems {

    @ExceptionHandler
    ProblemDetail noSuchProduct(NoSuchProductException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, e.getMessage());
    }

    @ExceptionHandler
    ProblemDetail notReserved(NotReservedException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, e.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> lockNotAcquired(LockNotAcquiredException e) {
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, "1")
                .body(ProblemDetail.forStatusAndDetail(
                        HttpStatus.SERVICE_UNAVAILABLE, "Others are at work on this product. Repeat the request."));
    }

    /** The lease ran out, and another holder has written or may write. */
    @ExceptionHandler({StaleTokenException.class, InsufficientValidityException.class, LeaseNotHeldException.class})
    ProblemDetail tooLate() {
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.CONFLICT, "This took too long, and nothing was changed. Repeat the request.");
    }
}
