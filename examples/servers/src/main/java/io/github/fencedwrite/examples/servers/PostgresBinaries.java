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
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL's programs from the Maven artifact, unpacked once per user into the temporary directory, since that takes
 * seconds; and the way to run them as root, whom PostgreSQL refuses.
 */
final class PostgresBinaries {

    private static final String NOBODY = "65534";

    private static @Nullable PostgresBinaries unpacked;

    private final Path home;
    private final List<String> asOther;
    private final boolean asNobody;

    private PostgresBinaries(Path home) {
        this.home = home;
        boolean root = "root".equals(System.getProperty("user.name"));
        boolean ownNamespace = root && succeeds("unshare", "-U", "true");
        this.asNobody = root && !ownNamespace;
        if (ownNamespace) {
            asOther = List.of("unshare", "-U");
        } else if (asNobody) {
            asOther = List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");
        } else {
            asOther = List.of();
        }
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
        List<String> command = new ArrayList<>(asOther);
        command.add(home.resolve("bin").resolve(program).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    /** Lets the user as whom the programs run use a file or directory that this JVM has made. */
    void handOver(Path path) throws IOException {
        if (asNobody) {
            Files.setAttribute(path, "unix:uid", Integer.parseInt(NOBODY));
            Files.setPosixFilePermissions(
                    Workspace.instance().directory(), PosixFilePermissions.fromString("rwx--x--x"));
        }
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

    private static boolean succeeds(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
