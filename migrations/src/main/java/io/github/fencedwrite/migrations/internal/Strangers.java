package io.github.fencedwrite.migrations.internal;

import io.github.fencedwrite.migrations.FencingMigrationException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Roles that own the schema {@code fencing} or something in it, and should not. What they have put there, even a view or a
 * policy, runs with the rights of the role that reads it: so this comes before anything in the schema is read, and asks the
 * catalog only.
 */
final class Strangers {

    /** The same as in the scripts, which are also run without this class. */
    private static final String OWNED = """
            SELECT left(string_agg(format('%%s of %%I', it.what, r.rolname), ', '), 500), current_user
            FROM (
                SELECT 'the schema' AS what, nspowner AS owner FROM pg_namespace WHERE nspname = 'fencing'
                UNION ALL
                SELECT relname::text, relowner FROM pg_class
                WHERE relnamespace = to_regnamespace('fencing') AND relkind <> 'i'
                UNION ALL
                SELECT proname || '()', proowner FROM pg_proc WHERE pronamespace = to_regnamespace('fencing')
                UNION ALL
                SELECT 'type ' || typname, typowner FROM pg_type
                WHERE typnamespace = to_regnamespace('fencing') AND typrelid = 0 AND typelem = 0
                UNION ALL
                SELECT 'operator ' || oprname, oprowner FROM pg_operator WHERE oprnamespace = to_regnamespace('fencing')
              ) AS it
              JOIN pg_roles AS r ON r.oid = it.owner JOIN pg_roles AS me ON me.rolname = current_user
            WHERE r.oid <> me.oid AND NOT r.rolsuper AND (%s)
            """;

    private static final String TO_INSTALL = OWNED.formatted("me.rolsuper OR NOT pg_has_role(me.oid, r.oid, 'USAGE')");

    /** Who only verifies has no part in the schema, and reads what its owner has made for everybody. */
    private static final String TO_VERIFY = OWNED.formatted("me.rolsuper");

    private Strangers() {}

    /** Refuses what is not the installing role's own, a superuser's, or that of a role it is a member of. */
    static void refuseToInstall(Connection connection) throws SQLException {
        refuse(
                connection,
                TO_INSTALL,
                "In the schema fencing is something that does not belong to %2$s: %1$s. Look at it. If that role has"
                        + " installed the schema, install as that role or as a member of it, and let other roles verify()"
                        + " only; else drop what it has made. Nothing was changed.");
    }

    /** Refuses what would run the code of another role with the rights of a superuser. */
    static void refuseToVerify(Connection connection) throws SQLException {
        refuse(
                connection,
                TO_VERIFY,
                "In the schema fencing is something that does not belong to %2$s: %1$s. This role is a superuser: what others"
                        + " have put into the schema would run with all rights. Use the role that has installed the schema,"
                        + " or one without superuser.");
    }

    private static void refuse(Connection connection, String sql, String message) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            if (rows.next() && rows.getString(1) != null) {
                throw new FencingMigrationException(message.formatted(rows.getString(1), rows.getString(2)), "WF106");
            }
        }
    }
}
