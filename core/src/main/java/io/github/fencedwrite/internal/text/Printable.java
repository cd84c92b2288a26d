package io.github.fencedwrite.internal.text;

/** Shows what applications and servers hand in, in messages and logs. */
public final class Printable {

    private Printable() {}

    /**
     * The text on one line: control characters, line separators and characters that change the direction of writing are shown
     * as escapes, so that a name cannot forge a line of a log.
     */
    public static String text(String text) {
        int first = 0;
        while (first < text.length() && !isUnsafe(text.charAt(first))) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            append(shown, text.charAt(i));
        }
        return shown.toString();
    }

    private static void append(StringBuilder shown, char character) {
        switch (character) {
            case '\n' -> shown.append("\\n");
            case '\r' -> shown.append("\\r");
            case '\t' -> shown.append("\\t");
            default -> {
                if (isUnsafe(character)) {
                    shown.append(String.format("\\u%04x", (int) character));
                } else {
                    shown.append(character);
                }
            }
        }
    }

    private static boolean isUnsafe(char character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
