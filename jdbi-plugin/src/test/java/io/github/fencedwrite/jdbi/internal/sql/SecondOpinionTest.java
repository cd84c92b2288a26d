package io.github.fencedwrite.jdbi.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.jdbi.FenceMode;
import io.github.fencedwrite.jdbi.Rows;
import java.util.ArrayList;
import java.util.List;
import net.sf.jsqlparser.JSQLParserException;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.relational.MinorThan;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.delete.Delete;
import net.sf.jsqlparser.statement.insert.Insert;
import net.sf.jsqlparser.statement.update.Update;
import net.sf.jsqlparser.statement.update.UpdateSet;
import org.junit.jupiter.api.Test;

/** JSqlParser, a general parser, reads the statements before and after; where it understands them, it must see the guard. */
class SecondOpinionTest {

    private static final GuardSpec FIRST = GuardSpec.write(FenceMode.FIRST, Rows.MANY, "last_token");

    @Test
    void agreesOnTheCorpus() {
        List<String> understood = new ArrayList<>();
        for (String sql : CorpusIT.statements()) {
            if (agrees(sql)) {
                understood.add(sql);
            }
        }
        assertThat(understood).as("statements that JSqlParser understands").hasSizeGreaterThan(90);
    }

    @Test
    void agreesOnRandomStatements() {
        long given = Long.getLong("seed", 0);
        long seed = given == 0 ? System.nanoTime() : given;
        System.out.println("SecondOpinionTest: -Dseed=" + seed);
        RandomStatements statements = new RandomStatements(seed);
        int understood = 0;
        for (int i = 0; i < 2_000 && understood < 30; i++) {
            understood += agrees(statements.next()) ? 1 : 0;
        }
        assertThat(understood).as("statements that JSqlParser understands").isEqualTo(30);
    }

    private static boolean agrees(String sql) {
        Statement before = parse(sql.replace("??", "?").replaceAll("@\\?", "@@"));
        if (before == null) {
            return false;
        }
        Guarded guarded = Guard.rewrite(sql, ParameterStyle.JDBI, FIRST);
        Statement after =
                parse(guarded.statement().forParser(":tkn").replace("??", "?").replaceAll("@\\?", "@@"));
        assertThat(after).as("what became of %s", sql).isNotNull().hasSameClassAs(before);
        if (before instanceof Update update) {
            Update written = (Update) after;
            assertThat(written.getTable()).hasToString(update.getTable().toString());
            assertThat(written.getUpdateSets()).hasSize(update.getUpdateSets().size() + 1);
            UpdateSet last = written.getUpdateSets().get(written.getUpdateSets().size() - 1);
            assertThat(last.getColumn(0)).hasToString("last_token");
            assertThat(last.getValues()).hasToString(":tkn");
            guardedCondition(update.getWhere(), written.getWhere(), sql);
        } else if (before instanceof Delete delete) {
            guardedCondition(delete.getWhere(), ((Delete) after).getWhere(), sql);
        } else if (before instanceof Insert insert) {
            Insert written = (Insert) after;
            assertThat(written.getColumns()).hasSize(insert.getColumns().size() + 1);
            assertThat(written.getColumns().get(insert.getColumns().size())).hasToString("last_token");
            if (insert.getConflictAction() != null) {
                assertThat(written.getConflictAction().getUpdateSets())
                        .hasSize(insert.getConflictAction().getUpdateSets().size() + 1);
                guardedCondition(
                        insert.getConflictAction().getWhereExpression(),
                        written.getConflictAction().getWhereExpression(),
                        sql);
            }
        }
        return true;
    }

    private static void guardedCondition(Expression before, Expression after, String sql) {
        Expression comparison = after;
        if (before != null) {
            assertThat(after).as("condition of %s", sql).isInstanceOf(AndExpression.class);
            AndExpression and = (AndExpression) after;
            comparison = and.getRightExpression();
            assertThat(and.getLeftExpression()).isInstanceOf(ParenthesedExpressionList.class);
            assertThat(and.getLeftExpression().toString()).isEqualTo("(" + before + ")");
        }
        assertThat(comparison).isInstanceOf(MinorThan.class);
        Column column = (Column) ((MinorThan) comparison).getLeftExpression();
        assertThat(column.getColumnName()).isEqualTo("last_token");
        assertThat(column.getTable()).as("the guard is qualified").isNotNull();
    }

    private static Statement parse(String sql) {
        try {
            return CCJSqlParserUtil.parse(sql);
        } catch (JSQLParserException e) {
            return null;
        }
    }
}
