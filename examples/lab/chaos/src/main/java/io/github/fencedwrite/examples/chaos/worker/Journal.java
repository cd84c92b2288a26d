package io.github.fencedwrite.examples.chaos.worker;

import io.github.fencedwrite.Lease;
import io.github.fencedwrite.examples.chaos.history.Intent;
import io.github.fencedwrite.examples.chaos.history.Told;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * What this process meant and was told, in a file: one line each, handed to the operating system before the work goes on, so
 * that it is there even if the process is killed. Read by {@code JournalReader}. Safe for use by many threads.
 */
public final class Journal implements AutoCloseable {

    /** Kind of line: operation, resource, token, begun, acquired. */
    public static final String ACQUIRED = "ACQUIRED";

    /** Kind of line: operation. The work begins, perhaps again. */
    public static final String ATTEMPT = "ATTEMPT";

    /** Kind of line: operation, table, row, version read, delta. */
    public static final String INTENT = "INTENT";

    /** Kind of line: operation, what it was told, detail. */
    public static final String TOLD = "TOLD";

    /** Kind of line: resource, reason. */
    public static final String NO_LOCK = "NO_LOCK";

    private final FileChannel file;

    private Journal(FileChannel file) {
        this.file = file;
    }

    static Journal append(Path path) {
        try {
            return new Journal(FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void acquired(String operation, Lease lease, long begun, long acquired) {
        line(ACQUIRED, operation, lease.resource(), lease.token().value(), begun, acquired);
    }

    void attempt(String operation) {
        line(ATTEMPT, operation);
    }

    void intent(String operation, Intent intent) {
        line(INTENT, operation, intent.row().table(), intent.row().id(), intent.readVersion(), intent.delta());
    }

    void told(String operation, Told told, String detail) {
        line(TOLD, operation, told, detail);
    }

    void noLock(String resource, String reason) {
        line(NO_LOCK, resource, reason);
    }

    private synchronized void line(Object... words) {
        String text = Arrays.stream(words).map(String::valueOf).collect(Collectors.joining("\t", "", "\n"));
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        try {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
