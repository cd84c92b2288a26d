package io.github.fencedwrite.examples.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Lets the wall clock of one process jump while it runs, by the library libfaketime. Its monotonic clock goes on as ever. */
public final class FakeTime implements AutoCloseable {

    private static final List<String> PLACES =
            List.of("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib");

    private final Path library;
    private final Path offset;

    private FakeTime(Path library) {
        this.library = library;
        try {
            this.offset = Files.createTempFile("fenced-write-clock-", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        jump(Duration.ZERO);
    }

    /**
     * Prepares the clock of one process.
     *
     * @return empty if this machine does not have the library
     */
    public static Optional<FakeTime> create() {
        return library().map(FakeTime::new);
    }

    /** The library (Debian: libfaketime); empty if this machine does not have it. */
    public static Optional<Path> library() {
        return PLACES.stream()
                .flatMap(place -> Stream.of("libfaketimeMT.so.1", "libfaketime.so.1")
                        .map(name -> Path.of(place, "faketime", name)))
                .filter(Files::isReadable)
                .findFirst();
    }

    /** What the process is to be started with. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", offset.toString(),
                "FAKETIME_CACHE_DURATION", "1", // to look at the file on each call makes a node slow
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "DONT_FAKE_MONOTONIC", "1");
    }

    /**
     * Sets the clock, within a second.
     *
     * @param ahead of the true time; negative for behind
     */
    public void jump(Duration ahead) {
        try {
            Path written = Path.of(offset + ".new");
            Files.writeString(written, String.format("%+d", ahead.toSeconds()));
            Files.move(written, offset, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(offset);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
