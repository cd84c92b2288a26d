package io.github.fencedwrite.internal.redis;

import java.io.IOException;
import java.io.InputStream;
import java.security.CodeSource;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;

/**
 * Which Jedis is on the class path. Frameworks bring one of their own choice, whatever this library asks for; one that is too old
 * is to be told when a client is built, not by a NoSuchMethodError later.
 */
public final class JedisVersion {

    private static final int OLDEST_MAJOR = 6;
    /** Of Jedis 6.0; tells where an application was repackaged without the properties that name the version. */
    private static final String CLASS_OF_OLDEST = "redis.clients.jedis.SslOptions";

    private JedisVersion() {}

    /** Why the Jedis on the class path cannot be used, or null if it can. */
    public static @Nullable String objection() {
        String version = version();
        boolean usable = version == null ? hasClassOfOldest() : major(version) >= OLDEST_MAJOR;
        return usable
                ? null
                : "Jedis " + (version == null ? "of an older version" : version) + " is on the class path" + place()
                        + ", but " + OLDEST_MAJOR
                        + ".0.0 or later is needed. Set its version in your build, for example"
                        + " with the property jedis.version if Spring Boot manages it.";
    }

    private static @Nullable String version() {
        try (InputStream found = CommandArguments.class.getResourceAsStream("pom.properties")) {
            if (found == null) {
                return null;
            }
            Properties properties = new Properties();
            properties.load(found);
            return properties.getProperty("version");
        } catch (IOException e) {
            return null;
        }
    }

    private static int major(String version) {
        try {
            return Integer.parseInt(version.split("\\.", 2)[0]);
        } catch (NumberFormatException e) {
            // a build of somebody's own, who knows what it is
            return OLDEST_MAJOR;
        }
    }

    private static boolean hasClassOfOldest() {
        try {
            Class.forName(CLASS_OF_OLDEST, false, CommandArguments.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static String place() {
        CodeSource source = CommandArguments.class.getProtectionDomain().getCodeSource();
        return source == null ? "" : " (" + source.getLocation() + ")";
    }
}
