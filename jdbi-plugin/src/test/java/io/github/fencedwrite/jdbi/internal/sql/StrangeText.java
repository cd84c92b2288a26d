package io.github.fencedwrite.jdbi.internal.sql;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes up texts that nobody would call SQL, and SQL that was damaged. */
final class StrangeText {

    private static final String CHARACTERS = "'\"$();:?\\/*-[]{},.=<>|&!%@#^~` \n\r\t\0\u00a0EebxnUu019aQ_é\ud800😀";
    private static final List<String> WORDS = List.of(
            ("UPDATE DELETE INSERT SELECT WITH RECURSIVE MERGE INTO FROM SET WHERE RETURNING USING VALUES DEFAULT ONLY AS AND OR"
                            + " ON CONFLICT CONSTRAINT DO NOTHING ORDER BY GROUP LIMIT FOR DISTINCT IS NOT NULL MATERIALIZED"
                            + " OVERRIDING SYSTEM VALUE CURRENT OF UESCAPE TABLE inventory i last_token \"last_token\" sku"
                            + " {fence.set} {fence.guard i} {fence.token} {fence.x {fence ( ) , ; . * = < :: : :a :a? ?. ? ??"
                            + " 1 1e 1.5.2 0x 'a' 'a E'\\' $$ $$a$$ $q$ $q$'$q$ \"a\" \"a U&\"\\0061\" U&' -- /* */ /*/**/*/ \\: \\' \\"
                            + " [ ] { } public.inventory EXCLUDED now()")
                    .split(" "));

    private static final List<String> CORPUS = Stream.concat(
                    CorpusIT.statements().stream(), CorpusIT.refused().map(CorpusIT.Refused::sql))
            .toList();

    private final SplittableRandom random;

    StrangeText(SplittableRandom random) {
        this.random = random;
    }

    String next() {
        return switch (random.nextInt(8)) {
            case 0 -> characters(random.nextInt(120));
            case 1 ->
                Stream.generate(() -> pick(WORDS))
                        .limit(random.nextInt(60))
                        .collect(Collectors.joining(random.nextInt(5) == 0 ? "" : " "));
            case 2 -> truncated(pick(CORPUS));
            case 3 -> random.nextInt(20) == 0 ? huge() : pick(WORDS) + " " + truncated(pick(CORPUS));
            case 4 -> nested();
            default -> damaged();
        };
    }

    /** A statement of the corpus with a few edits. */
    String damaged() {
        String sql = pick(CORPUS);
        for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
            int from = random.nextInt(sql.length() + 1);
            int to = Math.min(sql.length(), from + random.nextInt(8));
            String insertion = switch (random.nextInt(6)) {
                case 0 -> "";
                case 1 -> characters(1 + random.nextInt(3));
                case 2 -> " " + pick(WORDS) + " ";
                case 3 -> truncated(pick(CORPUS));
                case 4 -> sql.substring(from, to) + sql.substring(from, to);
                default -> pick(WORDS);
            };
            sql = sql.substring(0, from) + insertion + sql.substring(random.nextBoolean() ? to : from);
        }
        return sql;
    }

    private String characters(int length) {
        return random.ints(length, 0, CHARACTERS.length())
                .mapToObj(i -> String.valueOf(CHARACTERS.charAt(i)))
                .collect(Collectors.joining());
    }

    private String truncated(String sql) {
        int at = random.nextInt(sql.length() + 1);
        return random.nextInt(4) == 0 ? sql.substring(at) : sql.substring(0, at);
    }

    private String nested() {
        int depth = random.nextInt(20) == 0 ? 20_000 : random.nextInt(200);
        String open = pick(List.of("(", "[", "/*", "((", "(SELECT ", "CASE WHEN (", "WITH a AS ("));
        String close = pick(List.of(")", "]", "*/", "))", "", ") END"));
        return pick(List.of(
                        "",
                        "UPDATE inventory SET stock = 1 WHERE ",
                        "WITH a AS ",
                        "INSERT INTO inventory (sku) VALUES "))
                + open.repeat(depth) + "1" + close.repeat(random.nextInt(4) == 0 ? depth + 1 : depth);
    }

    private String huge() {
        int times = 2_000 + random.nextInt(18_000);
        return switch (random.nextInt(6)) {
            case 0 -> "INSERT INTO inventory (sku, stock, note) VALUES (?, ?, ?)" + ", (?, ?, ?)".repeat(times);
            case 1 -> "UPDATE inventory SET stock = 1 WHERE sku IN (:a" + ", :a".repeat(times) + ")";
            case 2 -> "UPDATE inventory SET stock = 1" + ", a = :b".repeat(times) + " WHERE sku = 'x'";
            case 3 ->
                "UPDATE inventory SET note = '" + "it''s ".repeat(times) + "' WHERE sku = $t$" + "$ $s".repeat(times)
                        + "$t$";
            case 4 -> "DELETE FROM " + "a.".repeat(times) + "b WHERE " + "a OR ".repeat(times) + "c";
            default ->
                "WITH a AS (SELECT 1)" + ", a AS (SELECT 1)".repeat(times) + " UPDATE i SET a = 1 -- "
                        + "-".repeat(times);
        };
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
