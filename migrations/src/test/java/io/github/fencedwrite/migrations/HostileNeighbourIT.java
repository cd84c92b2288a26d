package io.github.fencedwrite.migrations;

import static io.github.fencedwrite.migrations.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A role that may create in the schema public has planted a function, an operator or a type for each name that the SQL of
 * this module uses: those of PostgreSQL's catalog whose names stand in the installed functions, views, policies and
 * conditions of triggers, in the scripts, or in the sources of the Java side. Each with the arguments that PostgreSQL's own
 * have, and with many that would fit better. Whatever of it runs ends in an error.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("contract")
class HostileNeighbourIT {

    private static final String PLANTED = "55555";

    /** What the catalog knows of an installation, all texts together. */
    private static final String TEXTS = """
            SELECT string_agg(text, ' ') FROM (
                SELECT prosrc || coalesce(pg_get_function_sqlbody(oid), '') AS text FROM pg_proc
                WHERE pronamespace = 'fencing'::regnamespace
                UNION ALL SELECT pg_get_viewdef('fencing.protected_tables'::regclass)
                UNION ALL SELECT pg_get_expr(polqual, polrelid) FROM pg_policy
                UNION ALL SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef
                UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal) AS texts""";

    private static final String PLANT = """
            DO $plant$
            DECLARE
              words CONSTANT text[] := string_to_array('%s', ' ');
              operators CONSTANT text[] := string_to_array('%s', ' ');
              types CONSTANT regtype[] := ARRAY['text', 'varchar', 'name', 'bigint', 'integer', 'smallint', 'numeric', 'oid',
                'regclass', 'regnamespace', '"char"', 'timestamptz', 'jsonb', 'text[]']::regtype[];
              body CONSTANT text := 'LANGUAGE plpgsql AS ''BEGIN RAISE EXCEPTION USING ERRCODE = ''''%s'''', MESSAGE = ''''planted''''; END''';
              it record;
            BEGIN
              FOR it IN
                SELECT format('CREATE FUNCTION public.%%I(%%s) RETURNS %%s %%s', p.proname, pg_get_function_identity_arguments(p.oid),
                  CASE WHEN p.prokind = 'f' THEN pg_get_function_result(p.oid) ELSE 'text' END, body) AS command
                FROM pg_proc AS p WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname = ANY (words)
                UNION
                SELECT format('CREATE FUNCTION public.%%I(%%s) RETURNS %%s %%s', n.proname, a, coalesce(n.result, 'text'), body)
                FROM (SELECT p.proname, min(CASE WHEN p.prokind = 'f' THEN pg_get_function_result(p.oid) END) AS result,
                    max(CASE WHEN p.provariadic <> 0 THEN 4 ELSE p.pronargs END) AS most
                  FROM pg_proc AS p WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname = ANY (words) GROUP BY 1) AS n
                  CROSS JOIN LATERAL (
                    SELECT t::text AS a FROM unnest(types) AS t
                    UNION ALL SELECT t || ', ' || u FROM unnest(types[:9]) AS t, unnest(types[:9]) AS u WHERE n.most >= 2
                    UNION ALL SELECT 'text, text, ' || u FROM unnest(types) AS u WHERE n.most >= 3
                    UNION ALL SELECT 'text, ' || t || ', text, ' || t FROM unnest(types) AS t WHERE n.most >= 4) AS arguments
                UNION ALL
                SELECT format('CREATE FUNCTION public.planted(%%s, %%s) RETURNS boolean %%s', t, u, body)
                FROM unnest(types) AS t, unnest(types) AS u
              LOOP
                BEGIN
                  EXECUTE it.command;
                EXCEPTION WHEN OTHERS THEN
                  NULL; -- a pseudo-type, or twice the same arguments
                END;
              END LOOP;
              FOR it IN
                SELECT format('CREATE OPERATOR public.%%s (FUNCTION = public.planted, LEFTARG = %%s, RIGHTARG = %%s)', o, t, u) AS command
                FROM (SELECT DISTINCT o FROM unnest(operators) AS o) AS d, unnest(types) AS t, unnest(types) AS u
                WHERE EXISTS (SELECT FROM pg_operator AS p WHERE p.oprname = o AND p.oprleft <> 0)
              LOOP
                EXECUTE it.command;
              END LOOP;
              CREATE FUNCTION public.planted() RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RAISE SQLSTATE ''%3$s''; END';
              FOR it IN
                SELECT format('CREATE DOMAIN public.%%I AS pg_catalog.%%1$I CHECK (public.planted())', t.typname) AS command
                FROM pg_type AS t
                WHERE t.typnamespace = 'pg_catalog'::regnamespace AND t.typname = ANY (words) AND t.typtype = 'b'
              LOOP
                EXECUTE it.command;
              END LOOP;
            END
            $plant$""";

    private TestDatabase database;
    private String neighbour;

    @BeforeAll
    void plant() throws IOException {
        TestDatabase sample = TestDatabase.withFencing();
        sample.run(
                "CREATE TABLE item (id int PRIMARY KEY)",
                "SELECT fencing.protect('item', 'other_token')",
                "SELECT fencing.enforce('item', 'strict', 'other_token')");
        String texts = sample.ask(TEXTS) + FencingMigrations.plainSql() + javaSources();
        database = TestDatabase.fresh();
        neighbour = Roles.plain(database);
        database.run("GRANT CREATE ON SCHEMA public TO " + neighbour);
        try (Session session = database.sessionOf(neighbour)) {
            session.run("SET search_path = pg_catalog");
            session.run(PLANT.formatted(
                    found("[a-z_][a-z_0-9]*", texts),
                    found("[-+*/<>=~!@#%^&|`?]{1,3}", texts) + " ~~ !~~ ~~* ||",
                    PLANTED));
        }
        long planted = Long.parseLong(database.ask("SELECT (SELECT count(*) FROM pg_proc WHERE proowner = r.oid)"
                + " + (SELECT count(*) FROM pg_operator WHERE oprowner = r.oid)"
                + " + (SELECT count(*) FROM pg_type WHERE typowner = r.oid AND typtype = 'd') FROM pg_roles AS r"
                + " WHERE rolname = '" + neighbour + "'"));
        System.out.println("planted " + planted);
        assertThat(planted).isGreaterThan(5_000);
    }

    private static String found(String pattern, String texts) {
        return Pattern.compile(pattern)
                .matcher(texts)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new))
                .stream()
                .collect(Collectors.joining(" "));
    }

    private static String javaSources() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            StringBuilder text = new StringBuilder();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                text.append(Files.readString(file, StandardCharsets.UTF_8));
            }
            return text.toString();
        }
    }

    /** The control: with such a path, what is not qualified does run what was planted. */
    @Test
    void whatIsNotQualifiedRunsIt() {
        try (Session session = database.session()) {
            session.run("SET search_path = public, pg_catalog");
            for (String statement : new String[] {
                "SELECT format('%s', 'a'::text)",
                "SELECT 1::bigint < 2::bigint",
                "SELECT 'a'::varchar = 'a'::varchar",
                "SELECT 'a'::text"
            }) {
                Refusals.failed(PLANTED, () -> session.ask(statement));
            }
            session.run("SET search_path = public");
            Refusals.failed(PLANTED, () -> session.ask("SELECT 'a'::varchar = 'a'::varchar"));
            Refusals.failed(PLANTED, () -> session.ask("SELECT format('%s', 'a'::text)"));
        }
    }

    /** The plain file statement by statement, as psql without -1 runs it: the types of variables are looked up, too. */
    @Test
    void outsideOfATransactionTheScriptsSayThatTheyNeedOne() {
        List<String> blocks = Pattern.compile("(?s)\nDO \\$\\$.*?\n\\$\\$;")
                .matcher(FencingMigrations.plainSql())
                .results()
                .map(MatchResult::group)
                .filter(block -> block.contains("need one transaction"))
                .toList();
        assertThat(blocks).hasSize(2);
        try (Session session = database.session()) {
            session.run("SET search_path = public, pg_catalog");
            for (String block : blocks) {
                refused("WF112", () -> session.run(block));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"public", "public, pg_catalog"})
    void nothingPlantedEverRuns(String path) {
        String owner = Roles.plain(database);
        String writer = Roles.plain(database);
        database.run(
                "ALTER DATABASE " + database.name() + " SET search_path = public",
                "DROP SCHEMA IF EXISTS fencing CASCADE",
                "DROP SCHEMA IF EXISTS app CASCADE",
                "CREATE SCHEMA app AUTHORIZATION " + owner,
                "GRANT USAGE ON SCHEMA app TO PUBLIC",
                "ALTER DATABASE " + database.name() + " SET search_path = " + path);
        FencingMigrations fencing = FencingMigrations.on(database.dataSource());

        fencing.install();
        fencing.install();
        database.run(FencingMigrations.plainSql());
        fencing.repair();
        fencing.verify();
        database.run("SELECT fencing.grant_access('" + writer + "')");
        database.run("SELECT fencing.grant_access('" + owner + "', 'migrator')");
        try (Session session = database.sessionOf(owner)) {
            session.run(
                    "CREATE TABLE app.item (id int PRIMARY KEY, stock int)",
                    "CREATE TABLE app.part (id int PRIMARY KEY) PARTITION BY LIST (id)",
                    "CREATE TABLE app.part_1 PARTITION OF app.part FOR VALUES IN (1)",
                    "GRANT ALL ON app.item, app.part TO " + writer);
            for (String column : new String[] {"last_token", "other_token"}) {
                for (String table : new String[] {"app.item", "app.part"}) {
                    String of = "'" + table + "'";
                    session.run(
                            "SELECT * FROM fencing.preview('protect', " + of + ", '" + column + "')",
                            "SELECT fencing.protect(" + of + ", '" + column + "')",
                            "SELECT fencing.enforce(" + of + ", 'monotonic', '" + column + "')",
                            "SELECT * FROM fencing.preview('enforce', " + of + ", '" + column + "', 'strict')",
                            "SELECT fencing.enforce(" + of + ", 'strict', '" + column + "')",
                            "SELECT * FROM fencing.inspect(" + of + ", '" + column + "')",
                            "SELECT fencing.rebase(" + of + ", 0, '" + column + "')",
                            "SELECT * FROM fencing.protected_tables");
                }
                try (Session writing = database.sessionOf(writer)) {
                    write(writing, column);
                }
                for (String table : new String[] {"app.item", "app.part"}) {
                    session.run(
                            "SELECT fencing.relax('" + table + "', '" + column + "')",
                            "SELECT fencing.unprotect('" + table + "', '" + column + "')");
                }
            }
            session.run(
                    "SELECT fencing.protect_all(ARRAY['app.item', 'app.part'])",
                    "SELECT fencing.rebase_resource('a', 0)",
                    "SELECT fencing.cleanup()",
                    "SELECT fencing.rebase_floor(0)");
        }
        FencingMigrations.on(database.dataSourceOf(writer)).verify();
        FencingMigrations.on(database.dataSourceOf(owner)).verify();
    }

    /** What a writer meets: each way through the trigger, taken and refused. Nothing here has an operator of its own. */
    private static void write(Session session, String column) {
        refused("WF002", () -> session.run("INSERT INTO app.item VALUES (1, 1)"));
        refused("WF002", () -> session.run("INSERT INTO app.part VALUES (1)"));
        session.run("BEGIN");
        assertThat(session.ask("SELECT entered FROM fencing.enter('a', 40)")).isEqualTo("t");
        session.run(
                "INSERT INTO app.item VALUES (1, 1)",
                "INSERT INTO app.part VALUES (1)",
                "UPDATE app.item SET stock = 2",
                "UPDATE app.part SET id = 1",
                "COMMIT");
        assertThat(session.ask("SELECT entered FROM fencing.enter('a', 39)")).isEqualTo("f");
        session.run("UPDATE app.item SET " + column + " = 41");
        refused("WF001", () -> session.run("UPDATE app.item SET " + column + " = 40"));
        refused("WF002", () -> session.run("UPDATE app.item SET stock = 3"));
        refused("WF002", () -> session.run("TRUNCATE app.item"));
        for (String setting : new String[] {"40", "x", "9223372036854775808", "0"}) {
            for (String write : new String[] {"UPDATE app.item SET stock = 3", "DELETE FROM app.item"}) {
                refused(
                        setting.equals("40") ? "WF001" : "WF004",
                        () -> session.run(
                                "SELECT pg_catalog.set_config('fencing.token', '" + setting + "', true); " + write));
            }
        }
        refused(
                "WF003",
                () -> session.run("SELECT pg_catalog.set_config('fencing.token', '50', true);"
                        + " INSERT INTO app.item (id, stock, " + column + ") VALUES (2, 1, 49)"));
        session.run("SELECT pg_catalog.set_config('fencing.token', '9223372036854775807', true); DELETE FROM app.item");
        session.run("SELECT pg_catalog.set_config('fencing.token', '50', true); TRUNCATE app.part");
    }
}
