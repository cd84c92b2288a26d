package io.github.fencedwrite.migrations.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * One SQL script of this module.
 *
 * @param file its name below the folder of scripts
 * @param version the version, or null for one that runs again when it has changed
 * @param description its name in words, as Flyway derives it from the file name
 * @param sql its text
 */
record Script(String file, @Nullable String version, String description, String sql) {

    /** In the order in which they run. Versioned scripts can be run again without harm. */
    static final List<Script> ALL = List.of(load("V1__fencing_schema.sql"), load("R__fencing_functions.sql"));

    /** The version of the functions, as they tell it themselves. */
    static final int VERSION = version(ALL.get(ALL.size() - 1).sql());

    private static int version(String functions) {
        Matcher matcher = Pattern.compile("FUNCTION fencing\\.version\\(\\)[^;]+?RETURN (\\d+);")
                .matcher(functions);
        if (!matcher.find()) {
            throw new IllegalStateException("The functions do not tell their version");
        }
        return Integer.parseInt(matcher.group(1));
    }

    private static Script load(String file) {
        int split = file.indexOf("__");
        String prefix = file.substring(0, split);
        String description =
                file.substring(split + 2, file.length() - ".sql".length()).replace('_', ' ');
        return new Script(file, prefix.equals("R") ? null : prefix.substring(1), description, read(file));
    }

    private static String read(String file) {
        String path = "/io/github/fencedwrite/migrations/sql/" + file;
        try (@Nullable InputStream in = Script.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException(path + " is missing in the jar of fenced-write-migrations");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Flyway's checksum: CRC-32 over the lines without their ends, so that the line ending does not matter. */
    int checksum() {
        CRC32 crc = new CRC32();
        sql.lines().forEach(line -> crc.update(line.getBytes(StandardCharsets.UTF_8)));
        return (int) crc.getValue();
    }
}
