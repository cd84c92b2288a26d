package io.github.fencedwrite.jdbi.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes up statements on the tables of the corpus: any clause, odd spacing, comments and quotes. */
final class RandomStatements {

    private final Random random;

    RandomStatements(long seed) {
        random = new Random(seed);
    }

    String next() {
        return noise(pick("", "", "", with())
                + switch (random.nextInt(6)) {
                    case 0, 1, 2 -> update();
                    case 3 -> delete();
                    case 4 -> insert(false);
                    default -> insert(true);
                });
    }

    private String with() {
        return "WITH w AS " + pick("", "MATERIALIZED ") + "(SELECT sku, delta FROM other WHERE delta " + pick("<", ">")
                + " 2) ";
    }

    private String update() {
        String alias = pick("", " AS i", " i", " \"I\"", " AS \"in where\"");
        String name = alias.isEmpty() ? "inventory" : alias.replace(" AS", "").strip();
        String from = pick("", "", " FROM other o", " FROM other AS o JOIN app.orders a ON a.sku = o.sku AND a.id < 2");
        String join = from.isEmpty() ? "" : " o.sku = " + name + ".sku";
        String condition = random.nextInt(6) == 0 ? "" : condition(name, 2);
        String where = join.isEmpty() && condition.isEmpty()
                ? ""
                : " WHERE" + join + (join.isEmpty() || condition.isEmpty() ? "" : " AND (") + " " + condition
                        + (join.isEmpty() || condition.isEmpty() ? "" : ")");
        return "UPDATE " + pick("", "ONLY ") + pick("inventory", "public.inventory", "\"inventory\"") + alias + " SET "
                + assignments(name, true) + from + where + returning(name);
    }

    private String delete() {
        String alias = pick("", " AS i", " i", " \"I\"");
        String name = alias.isEmpty() ? "inventory" : alias.replace(" AS", "").strip();
        String using = pick("", "", " USING other o");
        String condition =
                using.isEmpty() ? condition(name, 2) : "o.sku = " + name + ".sku AND (" + condition(name, 1) + ")";
        return "DELETE FROM " + pick("", "ONLY ") + pick("inventory", "public.inventory") + alias + using
                + (using.isEmpty() && random.nextInt(5) == 0 ? "" : " WHERE " + condition) + returning(name);
    }

    private String insert(boolean upsert) {
        String alias = pick("", " AS i");
        String name = alias.isEmpty() ? "inventory" : "i";
        int rows = 1 + random.nextInt(3);
        List<String> values = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            String key = upsert && row == 0 ? pick("'4711'", "'4713'", ":p_sku", "'fresh'") : "'n" + row + "'";
            values.add("(" + key + ", " + pick("DEFAULT", number(name, false)) + ", " + text() + ")");
        }
        String conflict = !upsert
                ? ""
                : " ON CONFLICT " + pick("(sku)", "ON CONSTRAINT inventory_pkey", "(\"sku\")") + " DO UPDATE SET "
                        + assignments(name, false) + pick("", " WHERE " + condition(name, 1));
        return "INSERT INTO inventory" + alias + " (sku, stock, note) VALUES " + String.join(", ", values) + conflict
                + returning(name);
    }

    private String assignments(String name, boolean withPlace) {
        return pick(
                "stock = " + number(name, true),
                "stock = " + number(name, true) + ", note = " + text(),
                "(stock, note) = (" + number(name, true) + ", " + text() + ")",
                "note = CASE WHEN " + condition(name, 1) + " THEN " + text() + " ELSE 'e' END",
                "levels[1:2] = ARRAY[1, " + random.nextInt(9) + "]",
                "ok = " + name + ".stock IS DISTINCT FROM 10" + (withPlace ? ", place = " + text() : ""));
    }

    private String condition(String name, int depth) {
        if (depth > 0 && random.nextInt(3) > 0) {
            return switch (random.nextInt(5)) {
                case 0 -> condition(name, depth - 1) + " OR " + condition(name, depth - 1);
                case 1 -> condition(name, depth - 1) + " AND " + condition(name, depth - 1);
                case 2 -> "NOT " + condition(name, depth - 1);
                case 3 -> "(" + condition(name, depth - 1) + ")";
                default -> "CASE WHEN " + condition(name, depth - 1) + " THEN true ELSE false END";
            };
        }
        return pick(
                name + ".sku = :p_sku",
                name + ".stock > " + random.nextInt(40),
                name + ".place = :p_place",
                name + ".tags ?? 'x'",
                name + ".note = " + text(),
                name + ".sku IN (SELECT sku FROM other WHERE delta < 3)",
                name + ".levels[1:1] = '{1}'",
                "EXISTS (SELECT FROM other x WHERE x.sku = " + name + ".sku)",
                name + ".note IS NOT DISTINCT FROM NULL",
                "false");
    }

    private String number(String name, boolean own) {
        return pick(
                ":p_n",
                "7",
                "3*-2",
                "(SELECT max(delta) FROM other)",
                own ? name + ".stock + 1" : "1 + 1",
                "'12'::int");
    }

    private String text() {
        return pick(
                "'a'",
                "'it''s'",
                "E'\\'x'",
                "$$ where $$",
                "$q$it's$q$",
                "'\\'",
                "'a:b ? --'",
                "U&'\\0061'",
                "NULL",
                "'/* '",
                ":p_place");
    }

    private String returning(String name) {
        return pick("", "", " RETURNING *", " RETURNING " + name + ".sku, 1 AS \"from\"");
    }

    /** Puts comments and blanks where a single blank is, outside quotes only as far as a blank between words can be told. */
    private String noise(String sql) {
        StringBuilder noisy = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            quoted ^= c == '\'' || c == '"' || c == '$';
            boolean escape = c == 'E' && i + 1 < sql.length() && sql.charAt(i + 1) == '\'';
            if (c == ' ' && !quoted && !sql.contains("E'") && random.nextInt(12) == 0) {
                noisy.append(pick(" /* ' */ ", " -- WHERE '\n", "\n\t", " /* /* \" */ OR true */ "));
            } else {
                noisy.append(c);
            }
            if (escape) {
                quoted = false;
            }
        }
        return noisy + pick("", "", " ;", " -- OR true", "\n/* end */");
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
