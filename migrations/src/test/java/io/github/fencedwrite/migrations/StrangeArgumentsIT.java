package io.github.fencedwrite.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.examples.servers.RandomInputs;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Any argument of a function of the schema is accepted or refused by one of its own SQLSTATEs. */
class StrangeArgumentsIT {

    private static final List<String> NAMES = List.of(
            "public.item",
            "item",
            "public.\"Odd Name\"",
            "\"Odd Name\"",
            "public.view_of_item",
            "pg_class",
            "fencing.fence",
            "",
            " ",
            "public.",
            ".item",
            "a.b.c.d",
            "\"",
            "\"\"",
            "'",
            "item; DROP TABLE item",
            "item--",
            "/*",
            "ITEM",
            "\"ITEM\"",
            "pg_temp.x",
            "public.item_id_seq",
            "public.item_pkey",
            "12",
            "é",
            "\\",
            "$$",
            "public.item)",
            "information_schema.tables");
    private static final List<String> COLUMNS = List.of(
            "last_token",
            "id",
            "note",
            "Token",
            "",
            " ",
            "ctid",
            "xmin",
            "a\"b",
            "'; DROP TABLE item; --",
            "select",
            "é",
            "\"last_token\"");
    private static final List<String> MODES = List.of("monotonic", "strict", "STRICT", "", "guarded", "none", "'");
    private static final List<String> WAYS =
            List.of("protect", "unprotect", "enforce", "relax", "rebase", "inspect", "protect_all");
    private static final List<Long> TOKENS =
            List.of(Long.MIN_VALUE, -1L, 0L, 1L, 2L, (1L << 53) - 1, 1L << 53, Long.MAX_VALUE - 1, Long.MAX_VALUE);

    @Test
    void ofAdministratorsAreAcceptedOrRefusedByAStateOfOurOwn() throws InterruptedException {
        try (Session session = tables().session()) {
            String before = everything(session);
            RandomInputs.forEach("StrangeArgumentsIT, administrators", 400, random -> {
                session.run("BEGIN");
                try {
                    call(session, random);
                } catch (SQLException refusal) {
                    assertThat(refusal.getSQLState()).as("%s", refusal).startsWith("WF1");
                } finally {
                    session.run("ROLLBACK");
                }
            });
            assertThat(everything(session)).as("all was rolled back").isEqualTo(before);
        }
    }

    @Test
    void ofFenceRowsAreOrderedOrRefused() throws InterruptedException {
        try (Session session = tables().session()) {
            Map<String, Long> stored = new HashMap<>();
            RandomInputs.forEach("StrangeArgumentsIT, fence rows", 2_000, random -> {
                String resource = resource(random);
                Long token = random.nextInt(30) == 0
                        ? null
                        : Long.valueOf(random.nextBoolean() ? random.nextLong() : pick(random, TOKENS));
                boolean sound = resource != null
                        && !resource.isEmpty()
                        && length(resource) <= 1_024
                        && token != null
                        && token > 0;
                long before = stored.getOrDefault(resource, 0L);
                try (PreparedStatement enter = session.connection()
                        .prepareStatement("SELECT entered, stored_token FROM fencing.enter(?, ?)")) {
                    enter.setString(1, resource);
                    enter.setObject(2, token, Types.BIGINT);
                    try (ResultSet answer = enter.executeQuery()) {
                        answer.next();
                        assertThat(sound).isTrue();
                        assertThat(answer.getBoolean(1)).isEqualTo(token >= before);
                        assertThat(answer.getLong(2)).isEqualTo(Math.max(token, before));
                        stored.put(resource, Math.max(token, before));
                    }
                } catch (SQLException refusal) {
                    assertThat(sound).as("%s", refusal).isFalse();
                    assertThat(refusal.getSQLState()).isEqualTo("WF108");
                }
            });
        }
    }

    private static TestDatabase tables() {
        TestDatabase database = TestDatabase.withFencing();
        database.run(
                "CREATE TABLE item (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text)",
                "CREATE TABLE \"Odd Name\" (id int PRIMARY KEY, \"Token\" bigint)",
                "CREATE VIEW view_of_item AS SELECT * FROM item",
                "SELECT fencing.protect('public.item')",
                "INSERT INTO item (note) VALUES ('a'), ('b')");
        return database;
    }

    private static void call(Session session, SplittableRandom random) throws SQLException {
        String way = pick(random, WAYS);
        String sql = switch (way) {
            case "enforce" -> "SELECT fencing.enforce(?, ?, ?, ?::interval)";
            case "rebase" -> "SELECT fencing.rebase(?, ?, ?, ?::interval)";
            case "inspect" -> "SELECT * FROM fencing.inspect(?, ?)";
            case "protect_all" -> "SELECT fencing.protect_all(ARRAY[?, 'public.item'], ?, ?::interval)";
            default -> "SELECT fencing." + way + "(?, ?, ?::interval)";
        };
        try (PreparedStatement statement = session.connection().prepareStatement(sql)) {
            int next = 1;
            statement.setString(next++, maybe(random, pick(random, NAMES)));
            if (way.equals("enforce")) {
                statement.setString(next++, maybe(random, pick(random, MODES)));
            } else if (way.equals("rebase")) {
                statement.setLong(next++, pick(random, TOKENS));
            }
            statement.setString(next++, maybe(random, pick(random, COLUMNS)));
            if (!way.equals("inspect")) {
                statement.setString(
                        next, maybe(random, pick(random, List.of("0", "1 second", "-1 second", "1 minute"))));
            }
            statement.execute();
        }
    }

    private static String everything(Session session) {
        return session.ask("SELECT string_agg(r::text, ' ') || (SELECT string_agg(i::text, ' ') FROM item AS i)"
                + " || (SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal) || (SELECT count(*) FROM fencing.audit)"
                + " FROM fencing.registry AS r");
    }

    private static String resource(SplittableRandom random) {
        return switch (random.nextInt(12)) {
            case 0 -> null;
            case 1 -> "";
            case 2 -> "é".repeat(512 + random.nextInt(2));
            case 3 -> "x".repeat(1_020 + random.nextInt(9));
            case 4 ->
                Stream.generate(() -> String.valueOf((char) (1 + random.nextInt(0xd7fe))))
                        .limit(1 + random.nextInt(20))
                        .collect(Collectors.joining());
            default -> "r" + random.nextInt(20);
        };
    }

    private static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String maybe(SplittableRandom random, String text) {
        return random.nextInt(20) == 0 ? null : text;
    }

    private static <T> T pick(SplittableRandom random, List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
