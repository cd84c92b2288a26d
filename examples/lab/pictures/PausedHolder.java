import java.util.Locale;

/**
 * Draws the README's picture of a paused lock holder, as SVG on standard output:
 * {@code java examples/lab/pictures/PausedHolder.java > examples/lab/pictures/paused-holder.svg}.
 */
final class PausedHolder {

    private static final int A = 62;
    private static final int B = 142;
    private static final int ROW = 222;
    private final StringBuilder svg = new StringBuilder();

    public static void main(String[] args) {
        System.out.print(new PausedHolder().draw());
    }

    private String draw() {
        svg.append("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 284" role="img" aria-labelledby="title text">
                <title id="title">A paused lock holder is refused by the database</title>
                <desc id="text">Worker A gets a lease with token 33 and pauses. Its lease runs out. Worker B gets a lease with token 34
                and writes; the row now carries token 34. Worker A wakes up and writes with token 33, and PostgreSQL refuses
                it.</desc>
                <style>
                  svg { --ink: #1f2933; --soft: #66727f; --line: #d5dbe1; --lease: #2f6fdb; --pause: #b7791f; --yes: #1a7f4b; --no: #c9302c; --card: #ffffff }
                  @media (prefers-color-scheme: dark) {
                    svg { --ink: #e8edf2; --soft: #9aa7b4; --line: #3a444f; --lease: #6ea3ff; --pause: #e2b04f; --yes: #4cc38a; --no: #ff7b72; --card: #161b22 }
                  }
                  text { font: 14px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: var(--ink) }
                  .soft { fill: var(--soft); font-size: 12.5px }
                  .mid { text-anchor: middle }
                  .token { font-weight: 600; fill: var(--card) }
                  .lane { stroke: var(--line); stroke-width: 1.5 }
                </style>
                """);
        lane(A, "Worker A");
        lane(B, "Worker B");
        lane(ROW, "PostgreSQL row");
        lease(A, 130, 210, "lease, token 33");
        lease(B, 400, 230, "lease, token 34");
        pause(A, 250, 700);
        text(340, A - 25, "soft mid", "lease runs out");
        tick(340, A);
        stored(130, 500, "last_token = 21");
        stored(500, 860, "last_token = 34");
        write(500, B + 13, "yes", "✓", "34 &gt; 21: written");
        write(735, A, "no", "✗", "33 &lt; 34: refused");
        text(735, A - 25, "soft mid", "wakes up, writes");
        text(130, 274, "soft", "time →");
        return svg.append("</svg>\n").toString();
    }

    private void lane(int y, String name) {
        text(10, y + 5, "", name);
        add("<line class=\"lane\" x1=\"130\" x2=\"860\" y1=\"%d\" y2=\"%d\"/>", y, y);
    }

    private void lease(int y, int x, int width, String label) {
        add("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"26\" rx=\"5\" fill=\"var(--lease)\"/>", x, y - 13, width);
        text(x + 10, y + 5, "token", label);
    }

    private void pause(int y, int from, int to) {
        add("<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"var(--pause)\" stroke-width=\"5\" stroke-dasharray=\"3 5\"/>",
                from, to, y + 21, y + 21);
        text((from + to) / 2, y + 41, "soft mid", "paused: garbage collection, frozen VM, slow network");
    }

    private void tick(int x, int y) {
        add("<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"var(--soft)\" stroke-width=\"1.5\"/>", x, x, y - 20, y + 13);
    }

    private void stored(int from, int to, String label) {
        add("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"26\" fill=\"var(--card)\" stroke=\"var(--line)\" stroke-width=\"1.5\"/>",
                from, ROW - 13, to - from);
        text(from + 10, ROW + 5, "", label);
    }

    private void write(int x, int y, String outcome, String mark, String label) {
        add("<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"var(--%s)\" stroke-width=\"2\"/>", x, x, y, ROW - 14, outcome);
        add("<circle cx=\"%d\" cy=\"%d\" r=\"10\" fill=\"var(--%s)\"/>", x, ROW - 13, outcome);
        add("<text class=\"mid token\" x=\"%d\" y=\"%d\">%s</text>", x, ROW - 8, mark);
        add("<text class=\"mid\" x=\"%d\" y=\"%d\" style=\"fill:var(--%s);font-weight:600\">%s</text>", x, ROW + 34, outcome, label);
    }

    private void text(int x, int y, String style, String content) {
        add("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>", style, x, y, content);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
