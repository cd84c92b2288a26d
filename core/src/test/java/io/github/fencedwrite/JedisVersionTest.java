package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a class path with a Jedis that is too old is told. */
class JedisVersionTest {

    private static final Path TOO_OLD = Path.of("target", "jedis-that-is-too-old", "jedis.jar");

    @Test
    void aJedisThatIsTooOldIsToldWhenAClientIsBuilt() throws Exception {
        assertThat(TOO_OLD).exists();
        try (URLClassLoader loader = withJedis(TOO_OLD)) {
            Class<?> locks = loader.loadClass(FencedLocks.class.getName());
            Object builder = locks.getMethod("builder").invoke(null);
            builder.getClass().getMethod("nodes", String[].class).invoke(builder, (Object)
                    new String[] {"redis://127.0.0.1:1"});
            assertThatThrownBy(() -> builder.getClass().getMethod("build").invoke(builder))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("Jedis 5.2.0 is on the class path (file:")
                    .hasMessageEndingWith("jedis.jar), but 6.0.0 or later is needed. Set its version in your build, for"
                            + " example with the property jedis.version if Spring Boot manages it.");
        }
    }

    /** This very class path, but for Jedis. */
    private static URLClassLoader withJedis(Path jar) {
        List<Path> others = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> !path.getFileName().toString().startsWith("jedis-"))
                .toList();
        URL[] all = Stream.concat(Stream.of(jar), others.stream())
                .map(JedisVersionTest::url)
                .toArray(URL[]::new);
        return new URLClassLoader(all, ClassLoader.getPlatformClassLoader());
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
