package io.github.fencedwrite.jdbi.internal.sql;

import io.github.fencedwrite.examples.servers.Postgres;
import io.github.fencedwrite.examples.servers.PostgresDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** Runs a statement as it was written and as it was guarded, each on the same rows, and tells what became of them. */
final class Playground implements AutoCloseable {

    static final long TOKEN = 100;
    static final Map<String, Object> PARAMETERS = Map.of("p_sku", "4711", "p_n", 5, "p_place", "A");

    private final PostgresDatabase database = Postgres.shared().newDatabase();
    private final Connection connection;

    /** How many rows were hit, what the tables hold without the tokens, and the tokens of the rows that were changed. */
    record Effect(long count, String rows) {}

    Playground() throws SQLException {
        connection = database.dataSource().getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute(resource("corpus-schema.sql"));
        }
        connection.setAutoCommit(false);
    }

    static String resource(String name) {
        try (InputStream in = Playground.class.getResourceAsStream("/io/github/fencedwrite/jdbi/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The statement without a guard, with the parameters written out. */
    Effect plain(String sql) throws SQLException {
        String literal = sql.replace(":p_sku", "'4711'")
                .replace(":p_n", "5")
                .replace(":p_place", "'A'")
                .replace("??", "?")
                .replace("\\:", ":");
        begin(0);
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            return effect(statement, statement.execute(literal));
        } finally {
            connection.rollback();
        }
    }

    /** The guarded statement with token {@link #TOKEN}, on rows that carry {@code stored}. */
    Effect guarded(Template template, long stored) throws SQLException {
        begin(stored);
        Template.Rendered rendered = template.forJdbc();
        try (PreparedStatement statement = connection.prepareStatement(rendered.sql())) {
            bind(statement, rendered);
            return effect(statement, statement.execute());
        } finally {
            connection.rollback();
        }
    }

    /** What the probe answers on rows that carry {@code stored}: rows, newer, same, missing, greatest. */
    long[] probe(Template template, long stored) throws SQLException {
        begin(stored);
        Template.Rendered rendered = template.forJdbc();
        try (PreparedStatement statement = connection.prepareStatement(rendered.sql())) {
            bind(statement, rendered);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return new long[] {
                    result.getLong(1), result.getLong(2), result.getLong(3), result.getLong(4), result.getLong(5)
                };
            }
        } finally {
            connection.rollback();
        }
    }

    private static void bind(PreparedStatement statement, Template.Rendered rendered) throws SQLException {
        for (int i = 0; i < rendered.slots().size(); i++) {
            Template.Slot slot = rendered.slots().get(i);
            if (slot.isToken()) {
                statement.setLong(i + 1, TOKEN);
            } else {
                statement.setObject(i + 1, PARAMETERS.get(slot.name()));
            }
        }
    }

    private void begin(long stored) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT setval('doubled_id_seq', 500)");
            for (String table : new String[] {"inventory", "app.orders", "\"Mixed Case\"", "parts", "doubled"}) {
                statement.execute("UPDATE " + table + " SET last_token = " + stored);
            }
        }
    }

    private Effect effect(Statement statement, boolean hasRows) throws SQLException {
        long count = 0;
        if (hasRows) {
            try (ResultSet rows = statement.getResultSet()) {
                while (rows.next()) {
                    count++;
                }
            }
        } else {
            count = statement.getUpdateCount();
        }
        return new Effect(count, contents("to_jsonb(t) - 'last_token'"));
    }

    private String contents(String what) throws SQLException {
        StringBuilder all = new StringBuilder();
        try (Statement statement = connection.createStatement()) {
            for (String table :
                    new String[] {"inventory", "other", "app.orders", "\"Mixed Case\"", "parts", "doubled"}) {
                try (ResultSet result =
                        statement.executeQuery("SELECT " + what + "::text FROM " + table + " t ORDER BY 1")) {
                    while (result.next()) {
                        all.append(table)
                                .append(' ')
                                .append(result.getString(1))
                                .append('\n');
                    }
                }
            }
        }
        return all.toString();
    }

    /** What the tables hold at the beginning. */
    String untouched() throws SQLException {
        begin(0);
        try {
            return contents("to_jsonb(t) - 'last_token'");
        } finally {
            connection.rollback();
        }
    }

    /** The rows that carry the token after the guarded statement, with everything else they hold. */
    String stamped(Template template, long stored) throws SQLException {
        begin(stored);
        Template.Rendered rendered = template.forJdbc();
        try (PreparedStatement statement = connection.prepareStatement(rendered.sql())) {
            bind(statement, rendered);
            statement.execute();
            return contents("CASE WHEN last_token = " + TOKEN + " THEN (to_jsonb(t) - 'last_token') END");
        } catch (SQLException e) {
            return "";
        } finally {
            connection.rollback();
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        database.close();
    }
}
