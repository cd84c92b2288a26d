package io.github.fencedwrite.examples.servers;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL's programs from the Maven artifact, unpacked once per user into the temporary directory, since that takes
 * seconds.
 */
final class PostgresBinaries {

    private static @Nullable PostgresBinaries unpacked;

    private final Path home;

    private PostgresBinaries(Path home) {
        this.home = home;
    }

    static synchronized PostgresBinaries unpacked() {
        if (unpacked == null) {
            try {
                unpacked = new PostgresBinaries(unpack());
            } catch (IOException | IllegalStateException e) {
                throw new ServersException(
                        "PostgreSQL's binaries for this machine cannot be unpacked (" + e.getMessage()
                                + "): use -Dservers=containers or -D" + Servers.POSTGRES_URL,
                        e);
            }
        }
        return unpacked;
    }

    List<String> command(String program, String... arguments) {
        return OtherUser.command(home.resolve("bin").resolve(program), arguments);
    }

    private static Path unpack() throws IOException {
        byte[] archive;
        try (InputStream stream = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(
                operatingSystem(), System.getProperty("os.arch").replace("amd64", "x86_64"))) {
            archive = stream.readAllBytes();
        }
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        Path home = parent.resolve("fenced-write-postgres-" + System.getProperty("user.name") + "-" + digest(archive));
        if (isOurs(home)) {
            return home;
        }
        Path unfinished = Files.createTempDirectory(parent, "fenced-write-unpacking-");
        Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("rwxr-xr-x"));
        extract(archive, unfinished);
        try {
            Files.move(unfinished, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException anotherWasFaster) {
            Workspace.delete(unfinished);
            if (!isOurs(home)) {
                throw anotherWasFaster;
            }
        }
        return home;
    }

    /** The name can be guessed, so somebody else could have put other programs there. */
    private static boolean isOurs(Path home) throws IOException {
        return Files.isDirectory(home, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(home, LinkOption.NOFOLLOW_LINKS)
                        .equals(Files.getOwner(Workspace.instance().directory()));
    }

    private static void extract(byte[] archive, Path to) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZInputStream(new ByteArrayInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = to.resolve(entry.getName()).normalize();
                if (!path.startsWith(to)) {
                    throw new IOException("Entry outside of the archive: " + entry.getName());
                }
                extract(tar, entry, path);
            }
        }
    }

    private static void extract(TarArchiveInputStream tar, TarArchiveEntry entry, Path path) throws IOException {
        Path directory = path.getParent();
        if (entry.isDirectory() || directory == null) {
            Files.createDirectories(path);
            return;
        }
        Files.createDirectories(directory);
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(tar, path);
        if (directory.endsWith("bin")) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private static String operatingSystem() {
        String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        if (name.startsWith("windows")) {
            throw new IllegalStateException("embedded PostgreSQL is started on Linux and macOS only");
        }
        return name.startsWith("mac") ? "Darwin" : "Linux";
    }

    private static String digest(byte[] archive) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(archive);
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JVM has SHA-256", e);
        }
    }
}
