package io.github.fencedwrite.migrations;

/** The two ways a transaction may enter a fence row; both answer in the same form. */
enum FenceRowEntry {

    /** A call of fencing.enter. */
    FUNCTION {
        @Override
        boolean enter(Session session, String resource, long token) {
            return "t".equals(session.ask("SELECT entered FROM fencing.enter('%s', %d)".formatted(resource, token)));
        }
    },

    /**
     * An update of a row that is there already, and the function only if that found none to raise. The setting is made
     * in RETURNING: a SET clause is evaluated before the row's lock is had, and would announce the token of a loser.
     */
    DIRECT {
        @Override
        boolean enter(Session session, String resource, long token) {
            String entered = session.ask("""
                    UPDATE fencing.fence SET last_token = %2$d WHERE resource = '%1$s' AND last_token <= %2$d
                    RETURNING set_config('fencing.token', last_token::text, true) IS NOT NULL""".formatted(resource, token));
            return entered != null || FUNCTION.enter(session, resource, token);
        }
    };

    /** Whether the token was new enough; the session must be in a transaction. */
    abstract boolean enter(Session session, String resource, long token);
}
