-- Functions of fenced-write. Runs again, as a whole, whenever it has changed.
--
-- CONTRACT FOR CLIENTS -----------------------------------------------------------------------------------------------
--
-- A fence-row transaction starts with one statement:
--
--     SELECT entered, stored_token, transaction_id FROM fencing.enter($1 /* resource text */, $2 /* token bigint */)
--
--   entered = true    The resource's row in fencing.fence carries the token and is locked until the transaction ends;
--                     fencing.token is set to it for the transaction. transaction_id (text) can be asked for with
--                     pg_xact_status(transaction_id::xid8) on another connection when a commit was not answered.
--                     Entering again with the same or a greater token is harmless.
--   entered = false   A greater token was there first: stored_token. Nothing was changed, no setting made.
--
-- The setting  fencing.token  holds the token of the current transaction as a decimal number. It is always set with
-- is_local = true; after its transaction it reads as an empty string, before any as NULL. On a table in strict mode it
-- vouches for every row of the transaction: one transaction, one token. It is a safety device and no security
-- boundary: any role can set it.
--
-- SQLSTATES (class WF) -----------------------------------------------------------------------------------------------
--
-- Raised to writers. DETAIL is a JSON object: table ("schema.name", quoted where needed), column, operation, mode,
-- presented and stored (numbers or null), key (the primary key of the row as an object, null without one).
--     WF001  stale: the row, or the setting, carries an older token than the one stored
--     WF002  not announced: a strict table was written without a token
--     WF003  mismatch: an INSERT into a strict table carries another token than the setting
--     WF004  fencing.token is set to something that is no positive number
-- Raised to administrators. DETAIL is a JSON object with at least "target".
--     WF101  no such table               WF106  not the owner, or no right on the schema fencing
--     WF102  not a table of its own      WF107  the table is not protected
--     WF103  the column does not fit     WF108  bad argument
--     WF104  the column may hold NULLs   WF109  something else depends on the column
--     WF105  the lock was not obtained   WF110  cleanup refused: tokens do not come from the clock
--     WF111  a newer version is installed
--     WF112  the schema is incomplete
--
-- HOW THESE FUNCTIONS ARE WRITTEN ------------------------------------------------------------------------------------
--
-- No function is SECURITY DEFINER: everybody acts with his own rights. Functions for administrators fix their
-- search_path. Three do not: those that resolve the name of a table need the caller's, and fencing.enter and
-- fencing.guard run in every write. These name the schema of each relation and function; operators are looked up in
-- pg_catalog first, and never in pg_temp.

SELECT pg_catalog.pg_advisory_xact_lock(x'66656e63696e67'::bigint);

---------------------------------------------------------------------------------------------------------------------
-- Version of this file. An older library never replaces the functions of a newer one.
---------------------------------------------------------------------------------------------------------------------
DO $$
DECLARE
    mine      CONSTANT integer := 1;
    installed integer;
    missing   text;
BEGIN
    IF pg_catalog.to_regprocedure('fencing.version()') IS NOT NULL THEN
        installed := fencing.version();
        IF installed > mine THEN
            RAISE EXCEPTION 'fencing functions of version % are installed, these are of version %', installed, mine
                USING ERRCODE = 'WF111',
                    DETAIL = pg_catalog.json_build_object('target', 'fencing', 'installed', installed, 'offered', mine),
                    HINT = 'Use the fenced-write library that installed them, or a newer one. Nothing was changed.';
        END IF;
    END IF;
    SELECT pg_catalog.string_agg(name, ', ') INTO missing
    FROM pg_catalog.unnest(ARRAY['fencing.registry', 'fencing.fence', 'fencing.fence_floor', 'fencing.audit']) AS name
    WHERE pg_catalog.to_regclass(name) IS NULL;
    IF missing IS NOT NULL THEN
        RAISE EXCEPTION 'the schema fencing is incomplete: % missing', missing
            USING ERRCODE = 'WF112',
                DETAIL = pg_catalog.json_build_object('target', 'fencing', 'missing', missing),
                HINT = 'Run the plain SQL file of fenced-write once: it creates what is missing and keeps what is there.';
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION fencing.version() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN 1;

---------------------------------------------------------------------------------------------------------------------
-- Fence rows: the start of a transaction in which everything is fenced (see the contract above)
---------------------------------------------------------------------------------------------------------------------
CREATE OR REPLACE FUNCTION fencing.enter(
    resource text, token bigint, OUT entered boolean, OUT stored_token bigint, OUT transaction_id text)
    LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
    fresh boolean;
    floor bigint;
BEGIN
    IF token IS NULL OR token <= 0 OR $1 IS NULL OR octet_length($1) NOT BETWEEN 1 AND 1024 THEN
        RAISE EXCEPTION 'no fence row for resource % and token %', $1, token
            USING ERRCODE = 'WF108', DETAIL = pg_catalog.json_build_object('target', $1, 'presented', token),
                HINT = 'A resource has 1 to 1024 bytes, a token is a positive number: take both from the lease.';
    END IF;

    INSERT INTO fencing.fence AS f (resource, last_token) VALUES ($1, $2)
    ON CONFLICT (resource) DO UPDATE SET last_token = EXCLUDED.last_token WHERE f.last_token <= EXCLUDED.last_token
    RETURNING f.last_token, f.xmax = 0, pg_catalog.pg_current_xact_id()::text,
        pg_catalog.set_config('fencing.token', f.last_token::text, true) IS NOT NULL
    INTO stored_token, fresh, transaction_id, entered;

    IF NOT FOUND THEN
        entered := false;
        SELECT f.last_token INTO stored_token FROM fencing.fence AS f WHERE f.resource = $1;
    ELSIF fresh THEN
        -- A statement of its own, after the insert: only now are the rows gone that a cleanup deleted before, and only
        -- this snapshot sees the floor it left. The lock makes an older snapshot fail instead of reading an older floor.
        SELECT l.last_token INTO floor FROM fencing.fence_floor AS l FOR SHARE;
        IF token <= floor THEN
            DELETE FROM fencing.fence AS f WHERE f.resource = $1;
            PERFORM pg_catalog.set_config('fencing.token', '', true);
            entered := false;
            stored_token := floor;
            transaction_id := NULL;
        END IF;
    END IF;
END
$$;

---------------------------------------------------------------------------------------------------------------------
-- Names of tables and columns
---------------------------------------------------------------------------------------------------------------------

-- The table that a name means on the caller's search_path, or an error that says why it cannot be protected.
CREATE OR REPLACE FUNCTION fencing._resolve(target text) RETURNS regclass
    LANGUAGE plpgsql STABLE
AS $$
DECLARE
    relation regclass;
BEGIN
    BEGIN
        relation := pg_catalog.to_regclass(target);
    EXCEPTION WHEN syntax_error OR invalid_name OR feature_not_supported THEN
        relation := NULL; -- not even a name
    END;
    RETURN fencing._checked(relation, target);
END
$$;

CREATE OR REPLACE FUNCTION fencing._checked(relation regclass, target text) RETURNS regclass
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    it      pg_class;
    candidates text;
    why     text;
    way_out text;
BEGIN
    IF target IS NULL OR btrim(target) = '' THEN
        RAISE EXCEPTION 'the name of the table is missing'
            USING ERRCODE = 'WF108', DETAIL = json_build_object('target', target),
                HINT = 'Give the table as a string, for example ''public.inventory''.';
    END IF;
    SELECT * INTO it FROM pg_class WHERE oid = relation;
    IF NOT FOUND THEN
        SELECT string_agg(format('%L', format('%I.%I', n.nspname, c.relname)), ' or ') INTO candidates
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
            AND lower(c.relname) = lower(btrim(regexp_replace(target, '^.*\.', ''), '" '));
        RAISE EXCEPTION 'there is no table %', target
            USING ERRCODE = 'WF101', DETAIL = json_build_object('target', target),
                HINT = coalesce('Is it ' || candidates || '?',
                    'Create it in an earlier migration, and give its name as schema.table; '
                    || 'names with upper-case letters need double quotes inside the string.');
    END IF;

    IF it.relnamespace::regnamespace::text IN ('pg_catalog', 'information_schema', 'pg_toast', 'fencing') THEN
        why := 'belongs to the system';
        way_out := 'Protect tables of your application only.';
    ELSIF it.relkind IN ('v', 'm') THEN
        why := 'is a view';
        way_out := 'Protect the tables below it.';
    ELSIF it.relkind = 'f' THEN
        why := 'is a foreign table';
        way_out := 'Protect the table on the server where it lives.';
    ELSIF it.relkind NOT IN ('r', 'p') THEN
        why := 'is no table';
        way_out := 'Give the name of an ordinary or partitioned table.';
    ELSIF it.relpersistence = 't' THEN
        why := 'is a temporary table';
        way_out := 'Nobody else can write it; it needs no protection.';
    ELSIF it.relispartition THEN
        why := 'is a partition';
        way_out := 'Protect the partitioned table; its partitions follow.';
    END IF;
    IF why IS NOT NULL THEN
        RAISE EXCEPTION '% %', target, why
            USING ERRCODE = 'WF102', DETAIL = json_build_object('target', target, 'kind', it.relkind), HINT = way_out;
    END IF;
    RETURN relation;
END
$$;

CREATE OR REPLACE FUNCTION fencing._require_owner(relation regclass, target text) RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    owner name;
BEGIN
    SELECT pg_get_userbyid(relowner) INTO owner FROM pg_class WHERE oid = relation
    AND NOT pg_has_role(current_user, relowner, 'USAGE');
    IF FOUND THEN
        RAISE EXCEPTION 'role % may not alter %: it belongs to %', current_user, target, owner
            USING ERRCODE = 'WF106', DETAIL = json_build_object('target', target, 'owner', owner),
                HINT = format('Run this as %I, or as a member of that role.', owner);
    END IF;
    IF NOT has_table_privilege('fencing.registry', 'SELECT, INSERT')
        OR NOT has_table_privilege('fencing.audit', 'INSERT') THEN
        RAISE EXCEPTION 'role % may not register tables in the schema fencing', current_user
            USING ERRCODE = 'WF106', DETAIL = json_build_object('target', target),
                HINT = format('As the owner of that schema: SELECT fencing.grant_access(%L, ''migrator'')', current_user);
    END IF;
END
$$;

-- The table itself with its partitions and children, itself first, in the order in which PostgreSQL locks them.
CREATE OR REPLACE FUNCTION fencing._family(relation regclass) RETURNS SETOF regclass
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
    WITH RECURSIVE family AS (
        SELECT relation::oid AS member
        UNION
        SELECT i.inhrelid FROM family JOIN pg_inherits AS i ON i.inhparent = family.member)
    SELECT member::regclass FROM family ORDER BY member <> relation::oid, member
$$;

---------------------------------------------------------------------------------------------------------------------
-- Changing a busy table without making a queue
---------------------------------------------------------------------------------------------------------------------

-- Whoever waits for a strong lock makes everybody behind him wait too. So: wait 0.1 s at most for the locks of one try,
-- let go of everything, pause, and try again until the patience is over. Returns the number of tries.
CREATE OR REPLACE FUNCTION fencing._alter(relation regclass, lock_mode text, commands text[], patience interval)
    RETURNS integer
    LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms'
AS $$
DECLARE
    longest  CONSTANT interval := '100 milliseconds';
    deadline CONSTANT timestamptz := clock_timestamp() + patience;
    tries    integer := 0;
    started  timestamptz;
    member   regclass;
    command  text;
BEGIN
    LOOP
        tries := tries + 1;
        BEGIN
            started := clock_timestamp();
            FOR member IN SELECT fencing._family(relation) LOOP
                -- all locks of one try share the 0.1 s, however many partitions there are
                PERFORM set_config('lock_timeout', greatest(1,
                    extract(milliseconds FROM started + longest - clock_timestamp())::integer)::text, true);
                EXECUTE format('LOCK TABLE ONLY %s IN %s MODE', member, lock_mode);
            END LOOP;
            FOREACH command IN ARRAY commands LOOP
                EXECUTE command;
            END LOOP;
            RETURN tries;
        EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
            IF clock_timestamp() >= deadline THEN
                RAISE EXCEPTION 'no lock on % after % tries in %', relation, tries, patience
                    USING ERRCODE = 'WF105', DETAIL = json_build_object('target', relation::text, 'tries', tries),
                        HINT = 'A long transaction is using the table: find it in pg_stat_activity (xact_start), let it '
                            || 'end, and repeat; or give more patience as the last argument. Nothing was changed.';
            END IF;
        END;
        PERFORM pg_sleep(least(0.1 * tries, 1.0) * (0.75 + random() / 2));
    END LOOP;
END
$$;

---------------------------------------------------------------------------------------------------------------------
-- protect: the token column
---------------------------------------------------------------------------------------------------------------------

-- Adds `token_column bigint NOT NULL DEFAULT 0` to a table, or takes over a column that fits, and registers it.
-- Idempotent. The locks it gets are held until the caller's transaction ends: one table to a migration.
CREATE OR REPLACE FUNCTION fencing.protect(
    target text, token_column text DEFAULT 'last_token', patience interval DEFAULT '1 minute') RETURNS text
    LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    RETURN fencing._protect(fencing._resolve(target), target, token_column, patience);
END
$$;

CREATE OR REPLACE FUNCTION fencing._protect(relation regclass, target text, token_column text, patience interval)
    RETURNS text
    LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    is_new  boolean;
    tries   integer := 0;
    done    text[] := '{}';
    command text;
BEGIN
    PERFORM fencing._check_arguments(target, token_column, patience);
    PERFORM fencing._require_owner(relation, target);
    DELETE FROM fencing.registry AS r WHERE NOT EXISTS (SELECT FROM pg_class AS c WHERE c.oid = r.relation);

    is_new := NOT EXISTS (SELECT FROM pg_attribute
        WHERE attrelid = relation AND attname = token_column AND NOT attisdropped);
    IF is_new THEN
        -- a constant default is kept in the catalog, so no row is rewritten; IF NOT EXISTS for another instance that is
        -- doing the same right now
        done := ARRAY[format('ALTER TABLE %s ADD COLUMN IF NOT EXISTS %I bigint NOT NULL DEFAULT 0', relation, token_column)];
    ELSE
        done := fencing._fitting(relation, target, token_column);
    END IF;
    IF cardinality(done) > 0 THEN
        tries := fencing._alter(relation, 'ACCESS EXCLUSIVE', done, patience);
    END IF;

    INSERT INTO fencing.registry (relation, token_column, column_added) VALUES (relation, token_column, is_new)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND AND tries = 0 THEN
        RETURN format('%s was protected before, column %I', relation, token_column);
    END IF;
    INSERT INTO fencing.audit (action, target, detail) VALUES ('protect', relation::text,
        jsonb_build_object('column', token_column, 'tries', tries, 'commands', to_jsonb(done)));
    RETURN format('%s is protected, column %I %s', relation, token_column,
        CASE WHEN is_new THEN 'added' ELSE 'taken over' END);
END
$$;

CREATE OR REPLACE FUNCTION fencing._check_arguments(target text, token_column text, patience interval) RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    why text;
BEGIN
    IF token_column IS NULL OR btrim(token_column) = '' OR octet_length(token_column) > 63 THEN
        why := 'the name of the token column must have 1 to 63 bytes';
    ELSIF token_column IN ('tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid') THEN
        why := format('%s is a system column', token_column);
    ELSIF patience IS NULL OR patience < interval '0' THEN
        why := 'the patience must be zero or more';
    END IF;
    IF why IS NOT NULL THEN
        RAISE EXCEPTION '%', why USING ERRCODE = 'WF108', DETAIL = json_build_object('target', target),
            HINT = 'For example: SELECT fencing.protect(''public.inventory'', ''last_token'', ''1 minute'')';
    END IF;
END
$$;

-- What has to be done so that an existing column can hold tokens; an error if it cannot.
CREATE OR REPLACE FUNCTION fencing._fitting(relation regclass, target text, token_column text) RETURNS text[]
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    it       record;
    why      text;
    has_null boolean;
    todo     text[] := '{}';
BEGIN
    SELECT a.attnum, a.attnotnull, a.atttypid, a.attgenerated, a.attidentity, pg_get_expr(d.adbin, d.adrelid) AS default_value,
        EXISTS (SELECT FROM pg_constraint AS c WHERE c.conrelid = relation AND c.contype = 'n' AND NOT c.convalidated
            AND a.attnum = ANY (c.conkey)) AS not_null_unchecked,
        EXISTS (SELECT FROM pg_constraint AS c WHERE c.conrelid = relation AND c.contype = 'c' AND c.convalidated
            AND pg_get_expr(c.conbin, c.conrelid) = format('(%I IS NOT NULL)', token_column)) AS not_null_proven
    INTO it
    FROM pg_attribute AS a LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = relation AND a.attname = token_column AND NOT a.attisdropped;

    IF it.atttypid <> 'bigint'::regtype THEN
        why := format('is of type %s, not bigint', format_type(it.atttypid, NULL));
    ELSIF it.attgenerated <> '' OR it.attidentity <> '' THEN
        why := 'is generated by the database';
    END IF;
    IF why IS NOT NULL THEN
        RAISE EXCEPTION 'column % of % %', quote_ident(token_column), target, why
            USING ERRCODE = 'WF103', DETAIL = json_build_object('target', target, 'column', token_column),
                HINT = format('Let fencing use another column: SELECT fencing.protect(%L, ''fencing_token'')', target);
    END IF;

    IF NOT it.attnotnull OR it.not_null_unchecked THEN
        EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %I IS NULL)', relation, token_column) INTO has_null;
        IF has_null THEN
            RAISE EXCEPTION 'column % of % contains NULLs', quote_ident(token_column), target
                USING ERRCODE = 'WF104', DETAIL = json_build_object('target', target, 'column', token_column),
                    HINT = format('UPDATE %s SET %I = 0 WHERE %2$I IS NULL, on a large table in batches; then repeat.',
                        relation, token_column);
        END IF;
        IF NOT it.not_null_proven AND fencing._bytes(relation) > 16 * 1024 * 1024 THEN
            -- SET NOT NULL would read the whole table under the strongest lock
            RAISE EXCEPTION 'column % of % allows NULLs, and the table is large', quote_ident(token_column), target
                USING ERRCODE = 'WF104', DETAIL = json_build_object('target', target, 'column', token_column),
                    HINT = format('Each in a transaction of its own: ALTER TABLE %s ADD CONSTRAINT %I CHECK (%I IS NOT NULL) '
                        || 'NOT VALID; ALTER TABLE %1$s VALIDATE CONSTRAINT %2$I; then repeat.', relation,
                        'fencing_not_null', token_column);
        END IF;
        todo := todo || format('ALTER TABLE %s ALTER COLUMN %I SET NOT NULL', relation, token_column);
    END IF;
    IF it.default_value IS NULL OR it.default_value NOT IN ('0', '''0''::bigint', '(0)::bigint') THEN
        todo := format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT 0', relation, token_column) || todo;
    END IF;
    RETURN todo;
END
$$;

CREATE OR REPLACE FUNCTION fencing._bytes(relation regclass) RETURNS bigint
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
    SELECT sum(pg_relation_size(member))::bigint FROM fencing._family(relation) AS member
$$;
