package io.github.fencedwrite.examples.inventory.reservation;

import io.github.fencedwrite.FencedWriteException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.JdbiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks regularly for reservations whose time has run out. Each instance of the service may run one. */
public final class ReservationExpiry implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ReservationExpiry.class);

    private final ReservationService reservations;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "reservation-expiry");
        thread.setDaemon(true);
        return thread;
    });

    private ReservationExpiry(ReservationService reservations) {
        this.reservations = reservations;
    }

    /** Starts to look, each time {@code pause} after the last one. */
    public static ReservationExpiry start(ReservationService reservations, Duration pause) {
        ReservationExpiry expiry = new ReservationExpiry(reservations);
        var unused = expiry.timer.scheduleWithFixedDelay(
                expiry::run, pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
        return expiry;
    }

    private void run() {
        try {
            for (UUID id : reservations.findExpired()) {
                reservations.expire(id);
            }
        } catch (FencedWriteException | JdbiException e) {
            log.info("Expired reservations are looked at again in the next round: {}", e.getMessage());
        } catch (RuntimeException e) {
            log.error("Expired reservations are looked at again in the next round", e); // the timer goes on
        }
    }

    /** Lets the round that is running end, for 10 s at most. */
    @Override
    public void close() {
        timer.shutdown();
        try {
            if (!timer.awaitTermination(10, TimeUnit.SECONDS)) {
                timer.shutdownNow();
            }
        } catch (InterruptedException e) {
            timer.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
