package io.github.fencedwrite.jdbi.internal.statement;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/** The oldest Jdbi that has what is used of it. */
public final class JdbiVersion {

    private static final int OLDEST = 53;
    private static final Pattern THREE = Pattern.compile("3\\.(\\d+)\\..*");

    private JdbiVersion() {}

    /**
     * Checks the Jdbi on the class path.
     *
     * @throws IllegalStateException if it is too old
     */
    public static void require() {
        require(StatementContext.class.getPackage().getImplementationVersion());
    }

    /** As {@link #require()}; a version that is not known passes. */
    static void require(@Nullable String version) {
        Matcher three = THREE.matcher(String.valueOf(version));
        if (three.matches() && Integer.parseInt(three.group(1)) < OLDEST) {
            throw new IllegalStateException("FencingPlugin needs Jdbi 3." + OLDEST + " or later, and this is " + version
                    + ". Use a newer jdbi3-core and jdbi3-sqlobject, both of the same version.");
        }
    }
}
