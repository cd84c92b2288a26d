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
--                     Believe «committed» only where greatest(pg_postmaster_start_time(), stats_reset of pg_stat_bgwriter)
--                     is before the transaction's now(): a server that crashed since gives ids a second time. An id that
--                     it calls one of the future was not committed.
--                     Entering again with the same or a greater token is harmless.
--   entered = false   A greater token was there first: stored_token. Nothing was changed, no setting made.
--
-- Where the row is likely to be there already, the same without a call:
--
--     UPDATE fencing.fence SET last_token = $2 WHERE resource = $1 AND last_token <= $2
--     RETURNING pg_current_xact_id()::text, set_config('fencing.token', last_token::text, true)
--
--   One row is entered = true. No row means nothing (there is none, a cleanup has just deleted it, a greater token was
--   first): the next statement of the same transaction is fencing.enter. The setting belongs into RETURNING, since SET and
--   WHERE are evaluated before the row's lock is had: there, a loser would announce its token.
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
-- Version of this file, here and in fencing.version(): each release that changes the file raises it. An older library
-- never replaces the functions of a newer one.
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
  PERFORM fencing._require_rights(target);
END
$$;

-- What fencing.grant_access gives to a migrator.
CREATE OR REPLACE FUNCTION fencing._require_rights(target text) RETURNS void
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF has_table_privilege('fencing.registry', 'INSERT') AND has_table_privilege('fencing.registry', 'DELETE')
    AND has_table_privilege('fencing.fence', 'DELETE') AND has_table_privilege('fencing.fence_floor', 'UPDATE')
    AND has_table_privilege('fencing.audit', 'INSERT') THEN
    RETURN;
  END IF;
  RAISE EXCEPTION 'role % may not administer fencing', current_user
    USING ERRCODE = 'WF106', DETAIL = json_build_object('target', target),
      HINT = format('As the owner of that schema: SELECT fencing.grant_access(%L, ''migrator'')', current_user);
END
$$;

CREATE OR REPLACE FUNCTION fencing._require_protected(relation regclass, target text, token_column text) RETURNS void
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF EXISTS (SELECT FROM fencing.registry AS r JOIN pg_attribute AS a ON a.attrelid = r.relation AND a.attname = r.token_column
    WHERE r.relation = _require_protected.relation AND r.token_column = _require_protected.token_column
      AND NOT a.attisdropped) THEN
    RETURN;
  END IF;
  RAISE EXCEPTION '% has no fencing token in a column %', target, quote_ident(token_column)
    USING ERRCODE = 'WF107', DETAIL = json_build_object('target', target, 'column', token_column,
      'columns', (SELECT json_agg(r.token_column) FROM fencing.registry AS r WHERE r.relation = _require_protected.relation)),
      HINT = format('First: SELECT fencing.protect(%L, %L). The view fencing.protected_tables shows what there is.',
        target, token_column);
END
$$;

-- How every function begins that changes a protected table: which one is meant, and whether the caller may do so.
CREATE OR REPLACE FUNCTION fencing._administered(target text, token_column text, patience interval) RETURNS regclass
  LANGUAGE plpgsql STABLE
AS $$
DECLARE
  relation CONSTANT regclass := fencing._resolve(target);
BEGIN
  PERFORM fencing._check_arguments(target, token_column, patience);
  PERFORM fencing._require_owner(relation, target);
  PERFORM fencing._require_protected(relation, target, token_column);
  RETURN relation;
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

-- Whoever waits for a strong lock makes everybody behind him wait too. So: wait 0.1 s at most for all the locks of one
-- try, let go of everything, pause, and try again until the patience is over. Returns the number of tries.
CREATE OR REPLACE FUNCTION fencing._alter(relations regclass[], lock_mode text, commands text[], patience interval)
  RETURNS integer
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms'
AS $$
DECLARE
  longest  CONSTANT interval := '100 milliseconds';
  deadline CONSTANT timestamptz := clock_timestamp() + patience;
  tries    integer := 0;
  started  timestamptz;
  relation regclass;
  member   regclass;
  command  text;
BEGIN
  LOOP
    tries := tries + 1;
    BEGIN
      started := clock_timestamp();
      FOREACH relation IN ARRAY relations LOOP
        FOR member IN SELECT fencing._family(relation) LOOP
          -- what is left of the 0.1 s, however many tables and partitions there are
          PERFORM set_config('lock_timeout', greatest(1,
            1000 * extract(epoch FROM started + longest - clock_timestamp()))::integer::text, true);
          EXECUTE format('LOCK TABLE ONLY %s IN %s MODE', member, lock_mode);
        END LOOP;
      END LOOP;
      FOREACH command IN ARRAY commands LOOP
        EXECUTE command;
      END LOOP;
      RETURN tries;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF clock_timestamp() >= deadline THEN
        RAISE EXCEPTION 'no lock on % after % tries in %', array_to_string(relations, ', '), tries, patience
          USING ERRCODE = 'WF105',
            DETAIL = json_build_object('target', array_to_string(relations, ', '), 'tries', tries),
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
-- Idempotent. The locks it gets are held until the caller's transaction ends: make it a migration of its own.
CREATE OR REPLACE FUNCTION fencing.protect(
  target text, token_column text DEFAULT 'last_token', patience interval DEFAULT '1 minute') RETURNS text
  LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  RETURN fencing._protect(ARRAY[fencing._resolve(target)], ARRAY[target], token_column, patience);
END
$$;

-- The same for several tables, all or none: one after the other in one transaction would keep the first locked while
-- waiting for the second.
CREATE OR REPLACE FUNCTION fencing.protect_all(
  targets text[], token_column text DEFAULT 'last_token', patience interval DEFAULT '1 minute') RETURNS text
  LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  RETURN fencing._protect(
    ARRAY(SELECT fencing._resolve(t.target) FROM pg_catalog.unnest(targets) WITH ORDINALITY AS t (target, place)
      ORDER BY t.place), targets, token_column, patience);
END
$$;

CREATE OR REPLACE FUNCTION fencing._protect(relations regclass[], targets text[], token_column text, patience interval)
  RETURNS text
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  todo     text[] := '{}';
  added    regclass[] := '{}';
  tries    integer := 0;
  answer   text[] := '{}';
  relation regclass;
  place    integer;
BEGIN
  IF coalesce(cardinality(relations), 0) = 0 THEN
    RAISE EXCEPTION 'no table is named' USING ERRCODE = 'WF108', DETAIL = json_build_object('target', targets),
      HINT = 'For example: SELECT fencing.protect_all(ARRAY[''public.inventory'', ''public.order_line''])';
  END IF;
  FOR place IN 1 .. cardinality(relations) LOOP
    relation := relations[place];
    PERFORM fencing._check_arguments(targets[place], token_column, patience);
    PERFORM fencing._require_owner(relation, targets[place]);
    IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = relation AND attname = token_column AND NOT attisdropped) THEN
      todo := todo || fencing._fitting(relation, targets[place], token_column);
    ELSE
      -- a constant default is kept in the catalog, so no row is rewritten; IF NOT EXISTS for another instance that
      -- is doing the same right now
      todo := todo || format('ALTER TABLE %s ADD COLUMN IF NOT EXISTS %I bigint NOT NULL DEFAULT 0',
        relation, token_column);
      added := added || relation;
    END IF;
  END LOOP;
  DELETE FROM fencing.registry AS r WHERE NOT EXISTS (SELECT FROM pg_class AS c WHERE c.oid = r.relation);
  IF cardinality(todo) > 0 THEN
    tries := fencing._alter(relations, 'ACCESS EXCLUSIVE', todo, patience);
  END IF;

  FOREACH relation IN ARRAY relations LOOP
    INSERT INTO fencing.registry (relation, token_column, column_added)
    VALUES (relation, token_column, relation = ANY (added))
    ON CONFLICT DO NOTHING;
    IF FOUND OR tries > 0 THEN
      INSERT INTO fencing.audit (action, target, detail) VALUES ('protect', relation::text,
        jsonb_build_object('column', token_column, 'tries', tries, 'commands', to_jsonb(todo)));
      answer := answer || format('%s is protected, column %I %s', relation, token_column,
        CASE WHEN relation = ANY (added) THEN 'added' ELSE 'taken over' END);
    ELSE
      answer := answer || format('%s was protected before, column %I', relation, token_column);
    END IF;
  END LOOP;
  RETURN array_to_string(answer, '; ');
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

---------------------------------------------------------------------------------------------------------------------
-- enforce: the database refuses stale writes of any client
---------------------------------------------------------------------------------------------------------------------

-- Runs only when a trigger's WHEN says that something is wrong, or that a row has to be stamped with the announced
-- token. Written so that it needs no right on the schema and no other function of it: whoever writes runs it.
--
-- fencing.stamp is the same for the UPDATE of a strict table whose column has the usual name, and begins with the
-- frequent case: a row that leaves the token alone in a fence-row transaction. That case is kept short: it looks the setting
-- up once, and what only the others need is declared behind it. The trigger's WHEN is kept as short as can be, since
-- PostgreSQL prepares it anew for each statement: that is most of what enforcement costs a single row.
DO $create$
DECLARE
  opening CONSTANT text := $opening$
DECLARE
  setting CONSTANT text := pg_catalog.current_setting('fencing.token', true);
BEGIN$opening$;
  frequent CONSTANT text := $frequent$
  IF NEW.last_token = OLD.last_token
    AND pg_catalog.ltrim(setting, '0123456789') = ''
    AND pg_catalog.octet_length(setting) BETWEEN 1 AND 18
    AND setting::bigint >= greatest(OLD.last_token, 1)
  THEN
    NEW.last_token := setting::bigint;
    RETURN NEW;
  END IF;
$frequent$;
  guard CONSTANT text := $guard$
DECLARE
  token_column CONSTANT text := TG_ARGV[0];
  announced    bigint;
  presented    bigint;
  stored       bigint;
  refusal      text;
  subject      text;
  row_key      jsonb;
BEGIN
  -- A record's field can be named at run time only through JSON, which unpacks the whole row: not for the usual name.
  IF TG_OP = 'UPDATE' THEN
    IF token_column = 'last_token' THEN
      stored := OLD.last_token;
      presented := NEW.last_token;
    ELSE
      stored := (pg_catalog.to_jsonb(OLD) ->> token_column)::bigint;
      presented := (pg_catalog.to_jsonb(NEW) ->> token_column)::bigint;
    END IF;
  ELSIF TG_OP = 'INSERT' THEN
    presented := (pg_catalog.to_jsonb(NEW) ->> token_column)::bigint;
  ELSIF TG_OP = 'DELETE' THEN
    stored := (pg_catalog.to_jsonb(OLD) ->> token_column)::bigint;
  END IF;

  IF presented < stored THEN
    IF pg_catalog.current_setting('fencing.rebase', true) = 'on' THEN
      RETURN NEW; -- see fencing.rebase
    END IF;
    refusal := 'WF001';
  ELSIF setting IS NULL OR setting = '' THEN
    refusal := 'WF002';
  ELSIF pg_catalog.ltrim(setting, '0123456789') <> '' OR pg_catalog.length(setting) > 19
    OR setting::numeric NOT BETWEEN 1 AND 9223372036854775807 THEN
    refusal := 'WF004';
  ELSE
    announced := setting::bigint;
    IF announced < stored THEN
      refusal := 'WF001';
    ELSIF TG_OP = 'INSERT' AND (presented IS NULL OR presented NOT IN (0, announced)) THEN
      refusal := 'WF003';
    END IF;
  END IF;

  IF refusal IS NULL THEN
    IF TG_OP IN ('DELETE', 'TRUNCATE') THEN
      RETURN OLD;
    ELSIF token_column = 'last_token' THEN
      NEW.last_token := announced;
      RETURN NEW;
    END IF;
    RETURN pg_catalog.jsonb_populate_record(NEW, pg_catalog.jsonb_build_object(token_column, announced));
  END IF;

  subject := pg_catalog.format('%I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME);
  IF TG_OP <> 'TRUNCATE' THEN
    SELECT pg_catalog.jsonb_object_agg(a.attname, line.content -> a.attname::text) INTO row_key
    FROM pg_catalog.pg_index AS i
      JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
      CROSS JOIN (SELECT pg_catalog.to_jsonb(CASE WHEN TG_OP = 'INSERT' THEN NEW ELSE OLD END) AS content) AS line
    WHERE i.indrelid = TG_RELID AND i.indisprimary;
  END IF;
  -- an UPDATE that leaves the token alone, and a DELETE, present what was announced
  IF refusal <> 'WF003' AND (presented IS NULL OR presented = stored) THEN
    presented := announced;
  END IF;
  RAISE EXCEPTION USING
    ERRCODE = refusal,
    MESSAGE = pg_catalog.format('%s of %s refused: ', TG_OP, pg_catalog.concat_ws(' ', subject, row_key))
      || CASE refusal
        WHEN 'WF001' THEN pg_catalog.format('token %s is older than %s', presented, stored)
        WHEN 'WF002' THEN 'no fencing token was announced'
        WHEN 'WF003' THEN pg_catalog.format('its token is %s, that of the transaction %s',
          coalesce(presented::text, 'NULL'), announced)
        ELSE pg_catalog.format('fencing.token is %L', setting)
      END,
    DETAIL = pg_catalog.jsonb_build_object(
      'table', subject, 'column', token_column, 'operation', TG_OP, 'mode', TG_ARGV[1],
      'presented', presented, 'stored', stored, 'key', row_key),
    HINT = CASE refusal
      WHEN 'WF001' THEN 'Another holder of the lock has written since. Acquire the lock again and repeat the work.'
      WHEN 'WF002' THEN 'Let fenced-write announce the token, enter a fence row, or start with '
        'SELECT set_config(''fencing.token'', ''<token>'', true) in the same transaction.'
      WHEN 'WF003' THEN 'Write the token of this transaction, or leave the column out.'
      ELSE 'Set it to a positive number of up to 19 digits, from the lease.'
    END,
    SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, COLUMN = token_column;
END;
END$guard$;
BEGIN
  EXECUTE format($command$
CREATE OR REPLACE FUNCTION fencing.guard() RETURNS trigger LANGUAGE plpgsql STABLE AS %L$command$,
    opening || guard);
  EXECUTE format($command$
CREATE OR REPLACE FUNCTION fencing.stamp() RETURNS trigger LANGUAGE plpgsql STABLE AS %L$command$,
    opening || frequent || guard);
END
$create$;

-- PostgreSQL fires triggers in the order of their names, so ours come last and see the row as it will be written: "~"
-- is the greatest ASCII character.
CREATE OR REPLACE FUNCTION fencing._trigger_name(operation text, token_column text) RETURNS name
  LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT ('~fencing_' || operation || '_'
    || CASE WHEN octet_length(token_column) <= 40 THEN token_column ELSE md5(token_column) END)::name
$$;

-- 'guarded' without triggers, else the mode that the enabled triggers amount to; 'damaged' if some are missing.
CREATE OR REPLACE FUNCTION fencing._enforced(relation regclass, token_column text) RETURNS text
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE
      WHEN count(*) = 0 THEN 'guarded'
      WHEN count(*) = 1 AND bool_and(operation = 'update' AND works AND mode = 'monotonic') THEN 'monotonic'
      WHEN count(*) = 4 AND bool_and(works AND mode = 'strict') THEN 'strict'
      ELSE 'damaged'
    END
  FROM (
    SELECT operation, t.tgenabled IN ('O', 'A') AS works,
      CASE WHEN right(encode(t.tgargs, 'escape'), 14) = '\000strict\000' THEN 'strict' ELSE 'monotonic' END AS mode
    FROM unnest(ARRAY['update', 'insert', 'delete', 'truncate']) AS operation
      JOIN pg_trigger AS t ON t.tgrelid = relation AND t.tgname = fencing._trigger_name(operation, token_column)
  ) AS trigger
$$;

-- Switches refusal of stale writes on. Modes:
--   monotonic  refuses an UPDATE that lowers the token; whoever leaves the token alone passes
--   strict     also refuses whatever carries no token: see the contract at the top and fencing.guard
-- Goes from one mode to the other, and mends missing triggers; idempotent.
CREATE OR REPLACE FUNCTION fencing.enforce(
  target text, mode text, token_column text DEFAULT 'last_token', patience interval DEFAULT '1 minute') RETURNS text
  LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  RETURN fencing._enforce(fencing._administered(target, token_column, patience), target, mode, token_column, patience);
END
$$;

CREATE OR REPLACE FUNCTION fencing._enforce(
  relation regclass, target text, mode text, token_column text, patience interval) RETURNS text
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  setting  CONSTANT text := 'pg_catalog.current_setting(''fencing.token'', true)';
  commands text[] := '{}';
  member   regclass;
BEGIN
  IF mode IS NULL OR mode NOT IN ('monotonic', 'strict') THEN
    RAISE EXCEPTION 'there is no mode %', coalesce(quote_literal(mode), 'NULL')
      USING ERRCODE = 'WF108', DETAIL = json_build_object('target', target, 'mode', mode),
        HINT = 'Use ''monotonic'' or ''strict''; fencing.relax switches enforcement off.';
  END IF;
  IF cardinality(fencing._fitting(relation, target, token_column)) > 0 THEN
    RAISE EXCEPTION 'column % of % has been altered', quote_ident(token_column), target
      USING ERRCODE = 'WF103', DETAIL = json_build_object('target', target, 'column', token_column),
        HINT = format('SELECT fencing.protect(%L, %L) puts NOT NULL and the default back.', target, token_column);
  END IF;

  FOR member IN SELECT fencing._family(relation) LOOP
    -- partitions inherit row triggers, nothing inherits statement triggers
    IF (SELECT NOT relispartition FROM pg_class WHERE oid = member) THEN
      commands := commands || fencing._trigger_command('update', 'UPDATE', member, token_column, mode,
        CASE
          WHEN mode = 'monotonic' THEN format('NEW.%1$I < OLD.%1$I', token_column)
          WHEN token_column = 'last_token' THEN 'NEW.last_token <= OLD.last_token'
          ELSE format(
            'NEW.%1$I <= OLD.%1$I AND (NEW.%1$I < OLD.%1$I OR NEW.%1$I <= 0 OR NEW.%1$I::text IS DISTINCT FROM %2$s)',
            token_column, setting)
        END);
      IF mode = 'strict' THEN
        commands := commands
          || fencing._trigger_command('insert', 'INSERT', member, token_column, mode,
            format('NEW.%1$I <= 0 OR NEW.%1$I::text IS DISTINCT FROM %2$s', token_column, setting))
          || fencing._trigger_command('delete', 'DELETE', member, token_column, mode,
            format('OLD.%1$I <= 0 OR OLD.%1$I::text IS DISTINCT FROM %2$s', token_column, setting));
      END IF;
    END IF;
    IF mode = 'strict' THEN
      commands := commands || fencing._trigger_command('truncate', 'TRUNCATE', member, token_column, mode, NULL);
    END IF;
  END LOOP;

  IF mode = 'monotonic' AND fencing._enforced(relation, token_column) IN ('strict', 'damaged') THEN
    commands := fencing._drop_triggers(relation, token_column) || commands;
    PERFORM fencing._alter(ARRAY[relation], 'ACCESS EXCLUSIVE', commands, patience);
  ELSE
    PERFORM fencing._alter(ARRAY[relation], 'SHARE ROW EXCLUSIVE', commands, patience);
  END IF;
  PERFORM fencing._set_mode(relation, token_column, mode, 'enforce');
  RETURN format('%s refuses stale writes, column %I, mode %s', relation, token_column, mode);
END
$$;

CREATE OR REPLACE FUNCTION fencing._trigger_command(
  operation text, event text, relation regclass, token_column text, mode text, condition text) RETURNS text
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format('CREATE OR REPLACE TRIGGER %I BEFORE %s ON %s FOR EACH %s EXECUTE FUNCTION %s',
    fencing._trigger_name(operation, token_column), event, relation,
    CASE WHEN condition IS NULL THEN 'STATEMENT' ELSE format('ROW WHEN (%s)', condition) END,
    format('fencing.%I(%L, %L)',
      CASE WHEN operation = 'update' AND mode = 'strict' AND token_column = 'last_token' THEN 'stamp' ELSE 'guard' END,
      token_column, mode))
$$;

-- Commands that drop the triggers of one token column; those of partitions go with the ones they were inherited from.
CREATE OR REPLACE FUNCTION fencing._drop_triggers(relation regclass, token_column text) RETURNS text[]
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(array_agg(format('DROP TRIGGER %I ON %s', t.tgname, t.tgrelid::regclass)), '{}')
  FROM fencing._family(relation) AS member
    JOIN pg_trigger AS t ON t.tgrelid = member AND t.tgparentid = 0
    JOIN unnest(ARRAY['update', 'insert', 'delete', 'truncate']) AS operation
      ON t.tgname = fencing._trigger_name(operation, token_column)
$$;

CREATE OR REPLACE FUNCTION fencing._set_mode(relation regclass, token_column text, mode text, action text) RETURNS void
  LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
  WITH changed AS (
    UPDATE fencing.registry AS r SET mode = _set_mode.mode
    WHERE r.relation = _set_mode.relation AND r.token_column = _set_mode.token_column)
  INSERT INTO fencing.audit (action, target, detail)
  VALUES (action, relation::text, jsonb_build_object('column', token_column, 'mode', mode))
$$;

-- Switches enforcement off; the column and its tokens stay. Idempotent.
CREATE OR REPLACE FUNCTION fencing.relax(
  target text, token_column text DEFAULT 'last_token', patience interval DEFAULT '1 minute') RETURNS text
  LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  RETURN fencing._relax(fencing._administered(target, token_column, patience), token_column, patience);
END
$$;

CREATE OR REPLACE FUNCTION fencing._relax(relation regclass, token_column text, patience interval) RETURNS text
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF cardinality(fencing._drop_triggers(relation, token_column)) > 0 THEN
    PERFORM fencing._alter(ARRAY[relation], 'ACCESS EXCLUSIVE', fencing._drop_triggers(relation, token_column), patience);
  END IF;
  PERFORM fencing._set_mode(relation, token_column, 'guarded', 'relax');
  RETURN format('%s refuses nothing by itself any more, column %I', relation, token_column);
END
$$;

-- Undoes fencing.protect: relaxes, and drops the column if protect had added it. The tokens are gone then.
CREATE OR REPLACE FUNCTION fencing.unprotect(
  target text, token_column text DEFAULT 'last_token', patience interval DEFAULT '1 minute') RETURNS text
  LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  RETURN fencing._unprotect(fencing._administered(target, token_column, patience), target, token_column, patience);
END
$$;

CREATE OR REPLACE FUNCTION fencing._unprotect(relation regclass, target text, token_column text, patience interval)
  RETURNS text
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  commands text[];
  added    boolean;
  reason   text;
BEGIN
  DELETE FROM fencing.registry AS r
  WHERE r.relation = _unprotect.relation AND r.token_column = _unprotect.token_column
  RETURNING r.column_added INTO added;

  commands := fencing._drop_triggers(relation, token_column);
  IF added THEN
    commands := commands || format('ALTER TABLE %s DROP COLUMN %I', relation, token_column);
  END IF;
  IF cardinality(commands) > 0 THEN
    BEGIN
      PERFORM fencing._alter(ARRAY[relation], 'ACCESS EXCLUSIVE', commands, patience);
    EXCEPTION WHEN dependent_objects_still_exist THEN
      GET STACKED DIAGNOSTICS reason = PG_EXCEPTION_DETAIL;
      RAISE EXCEPTION 'column % of % is still in use', quote_ident(token_column), target
        USING ERRCODE = 'WF109', DETAIL = json_build_object('target', target, 'column', token_column, 'users', reason),
          HINT = 'Replace what uses the column (see DETAIL), then repeat.';
    END;
  END IF;
  INSERT INTO fencing.audit (action, target, detail) VALUES ('unprotect', relation::text,
    jsonb_build_object('column', token_column, 'commands', to_jsonb(commands)));
  RETURN format('%s is not protected any more, column %I %s', relation, token_column,
    CASE WHEN added THEN 'dropped' ELSE 'left as it was before' END);
END
$$;

---------------------------------------------------------------------------------------------------------------------
-- rebase: an operator's way out of a poisoned or changed source of tokens. Each leaves a line in fencing.audit.
---------------------------------------------------------------------------------------------------------------------

-- Lowers every token of a table that is above the given one to it, while nobody else writes. Afterwards holders of
-- older leases with tokens above it can write again: stop them first.
CREATE OR REPLACE FUNCTION fencing.rebase(
  target text, token bigint, token_column text DEFAULT 'last_token', patience interval DEFAULT '1 minute') RETURNS bigint
  LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  RETURN fencing._rebase(fencing._administered(target, token_column, patience), target, token, token_column, patience);
END
$$;

CREATE OR REPLACE FUNCTION fencing._rebase(
  relation regclass, target text, token bigint, token_column text, patience interval) RETURNS bigint
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  greatest_before bigint;
  changed         bigint;
BEGIN
  PERFORM fencing._check_rebase(target, token);
  PERFORM fencing._alter(ARRAY[relation], 'SHARE ROW EXCLUSIVE', '{}', patience);
  EXECUTE format('SELECT max(%I) FROM %s', token_column, relation) INTO greatest_before;
  -- fencing.guard lets it pass; no SET clause, which only a superuser may put on a function
  PERFORM set_config('fencing.rebase', 'on', true);
  EXECUTE format('UPDATE %s SET %I = $1 WHERE %2$I > $1', relation, token_column) USING token;
  GET DIAGNOSTICS changed = ROW_COUNT;
  PERFORM set_config('fencing.rebase', '', true);
  INSERT INTO fencing.audit (action, target, detail) VALUES ('rebase', relation::text, jsonb_build_object(
    'column', token_column, 'token', token, 'greatest_before', greatest_before, 'rows', changed));
  RETURN changed;
END
$$;

-- Sets the token of one fence row, up or down; 0 forgets the resource. Returns the token before.
CREATE OR REPLACE FUNCTION fencing.rebase_resource(resource text, token bigint) RETURNS bigint
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  before bigint;
BEGIN
  PERFORM fencing._check_rebase($1, token);
  PERFORM fencing._require_rights($1);
  SELECT last_token INTO before FROM fencing.fence AS f WHERE f.resource = $1 FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no fence row for %', coalesce(quote_literal($1), 'NULL')
      USING ERRCODE = 'WF107', DETAIL = json_build_object('target', $1),
        HINT = 'See fencing.fence. If new rows are refused, it is the floor that is too high: fencing.rebase_floor.';
  END IF;
  IF token = 0 THEN
    DELETE FROM fencing.fence AS f WHERE f.resource = $1;
  ELSE
    UPDATE fencing.fence AS f SET last_token = token WHERE f.resource = $1;
  END IF;
  INSERT INTO fencing.audit (action, target, detail)
  VALUES ('rebase_resource', $1, jsonb_build_object('token', token, 'before', before));
  RETURN before;
END
$$;

-- Sets the floor under new fence rows, for a source of tokens that starts lower. Returns the floor before.
CREATE OR REPLACE FUNCTION fencing.rebase_floor(token bigint) RETURNS bigint
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  before bigint;
BEGIN
  PERFORM fencing._check_rebase('fencing.fence_floor', token);
  PERFORM fencing._require_rights('fencing.fence_floor');
  SELECT last_token INTO before FROM fencing.fence_floor FOR UPDATE;
  UPDATE fencing.fence_floor SET last_token = token;
  INSERT INTO fencing.audit (action, target, detail)
  VALUES ('rebase_floor', 'fencing.fence_floor', jsonb_build_object('token', token, 'before', before));
  RETURN before;
END
$$;

CREATE OR REPLACE FUNCTION fencing._check_rebase(target text, token bigint) RETURNS void
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF token IS NULL OR token < 0 THEN
    RAISE EXCEPTION 'a token is a number from 0 on, not %', coalesce(token::text, 'NULL')
      USING ERRCODE = 'WF108', DETAIL = json_build_object('target', target, 'token', token),
        HINT = 'Give a number just below the next token that the source of tokens will hand out.';
  END IF;
END
$$;

---------------------------------------------------------------------------------------------------------------------
-- cleanup: forget resources that nobody has locked for long
---------------------------------------------------------------------------------------------------------------------

-- Deletes up to at_most fence rows with tokens older than the given age, and keeps the greatest of their tokens as the
-- floor under new rows. Returns how many; call it again until that is 0. Only for tokens that count microseconds since
-- 1970, as fenced-write's own do: for others no age can be told, and a counter that restarts lower would be locked out.
-- The age must exceed the longest lease and the retention of the counters.
CREATE OR REPLACE FUNCTION fencing.cleanup(older_than interval DEFAULT '30 days', at_most integer DEFAULT 10000)
  RETURNS bigint
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
  earliest CONSTANT bigint := 1577836800000000; -- 2020
  latest   CONSTANT bigint := extract(epoch FROM now() + interval '1 day') * 1000000;
  foreign_token record;
  cutoff   bigint;
  deleted  bigint;
  highest  bigint;
BEGIN
  IF older_than IS NULL OR older_than < interval '1 hour' OR at_most IS NULL OR at_most < 1 THEN
    RAISE EXCEPTION 'no cleanup of what is older than % (at most % rows)', older_than, at_most
      USING ERRCODE = 'WF108', DETAIL = json_build_object('target', 'fencing.fence'),
        HINT = 'The age must be an hour or more, and above the longest lease and the retention of the counters.';
  END IF;
  PERFORM fencing._require_rights('fencing.fence');
  SELECT resource, last_token INTO foreign_token FROM fencing.fence
  WHERE last_token NOT BETWEEN earliest AND latest LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'the token % of % does not come from a clock', foreign_token.last_token, foreign_token.resource
      USING ERRCODE = 'WF110', DETAIL = json_build_object('target', 'fencing.fence',
        'resource', foreign_token.resource, 'stored', foreign_token.last_token),
        HINT = 'Without a clock in the tokens nobody can tell which are old: leave the fence table as it is. '
          || 'If only this one is wrong: fencing.rebase_resource.';
  END IF;
  cutoff := extract(epoch FROM now() - older_than) * 1000000;

  -- first the floor: whoever is entering a new row holds a share of it, and waits for this transaction's end
  PERFORM FROM fencing.fence_floor FOR UPDATE;
  -- a fence row in use is not old, whatever its token: skip it rather than wait
  WITH old AS (
    SELECT resource FROM fencing.fence WHERE last_token <= cutoff LIMIT at_most FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM fencing.fence AS f USING old WHERE f.resource = old.resource RETURNING f.last_token
  )
  SELECT count(*), max(last_token) INTO deleted, highest FROM gone;
  IF deleted > 0 THEN
    UPDATE fencing.fence_floor SET last_token = greatest(last_token, highest);
    INSERT INTO fencing.audit (action, target, detail) VALUES ('cleanup', 'fencing.fence',
      jsonb_build_object('older_than', older_than, 'rows', deleted, 'greatest', highest));
  END IF;
  RETURN deleted;
END
$$;

---------------------------------------------------------------------------------------------------------------------
-- Rights
---------------------------------------------------------------------------------------------------------------------

-- Lets a role use fence rows ('writer'), or protect its own tables too ('migrator').
CREATE OR REPLACE FUNCTION fencing.grant_access(role_name text, purpose text DEFAULT 'writer') RETURNS text
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF purpose IS NULL OR purpose NOT IN ('writer', 'migrator') OR to_regrole(quote_ident(role_name)) IS NULL THEN
    RAISE EXCEPTION 'no access for role % as %', role_name, purpose
      USING ERRCODE = 'WF108', DETAIL = json_build_object('target', role_name),
        HINT = 'Give the name of an existing role, and ''writer'' or ''migrator''.';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_class WHERE oid = 'fencing.fence'::regclass AND pg_has_role(current_user, relowner, 'USAGE')) THEN
    RAISE EXCEPTION 'role % may not grant access to fencing', current_user
      USING ERRCODE = 'WF106', DETAIL = json_build_object('target', role_name),
        HINT = 'Run this as the role that has installed the schema fencing.';
  END IF;
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON fencing.fence TO %I', role_name);
  -- locking the floor in share mode needs UPDATE
  EXECUTE format('GRANT SELECT, UPDATE ON fencing.fence_floor TO %I', role_name);
  IF to_regclass('fencing.flyway_schema_history') IS NOT NULL THEN
    EXECUTE format('GRANT SELECT ON fencing.flyway_schema_history TO %I', role_name);
  END IF;
  IF purpose = 'migrator' THEN
    EXECUTE format('GRANT INSERT, UPDATE, DELETE ON fencing.registry TO %I', role_name);
    EXECUTE format('GRANT SELECT, INSERT ON fencing.audit TO %I', role_name);
  END IF;
  RETURN format('%I may use fencing as %s', role_name, purpose);
END
$$;

---------------------------------------------------------------------------------------------------------------------
-- What is there, and what is wrong with it
---------------------------------------------------------------------------------------------------------------------

-- mode is what was asked for, enforced what the triggers amount to now.
CREATE OR REPLACE VIEW fencing.protected_tables AS
SELECT n.nspname AS schema_name, c.relname AS table_name, r.token_column, r.mode,
  fencing._enforced(r.relation, r.token_column) AS enforced, r.column_added, r.protected_at, r.protected_by
FROM fencing.registry AS r
  JOIN pg_catalog.pg_class AS c ON c.oid = r.relation
  JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
  JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attname = r.token_column AND NOT a.attisdropped;
GRANT SELECT ON fencing.protected_tables TO PUBLIC;

-- Findings about one token column: 'error' (it does not work), 'warning' (a way around it, or a cost), 'info'.
CREATE OR REPLACE FUNCTION fencing.inspect(target text, token_column text DEFAULT 'last_token')
  RETURNS TABLE (severity text, code text, finding text, fix text)
  LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY SELECT * FROM fencing._inspect(fencing._resolve(target), target, token_column);
END
$$;

CREATE OR REPLACE FUNCTION fencing._inspect(relation regclass, target text, token_column text)
  RETURNS TABLE (severity text, code text, finding text, fix text)
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  col      record;
  it       pg_class;
  intended text;
  enforced CONSTANT text := fencing._enforced(relation, token_column);
  holes    boolean;
BEGIN
  PERFORM fencing._check_arguments(target, token_column, interval '0');
  SELECT * INTO it FROM pg_class WHERE oid = relation;
  SELECT a.*, pg_get_expr(d.adbin, d.adrelid) AS default_value INTO col
  FROM pg_attribute AS a LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = relation AND a.attname = token_column AND NOT a.attisdropped;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'error', 'column_missing', format('%s has no column %I', relation, token_column),
      format('SELECT fencing.protect(%L, %L)', target, token_column);
    RETURN;
  END IF;

  -- the column
  IF col.atttypid <> 'bigint'::regtype THEN
    RETURN QUERY SELECT 'error', 'column_type', format('column %I is of type %s', token_column, format_type(col.atttypid, NULL)),
      'Tokens need bigint: protect the table with another column';
  END IF;
  IF NOT col.attnotnull THEN
    RETURN QUERY SELECT 'error', 'column_nullable', format('column %I allows NULLs', token_column),
      format('SELECT fencing.protect(%L, %L)', target, token_column);
    IF has_column_privilege(relation, col.attnum, 'SELECT') THEN
      EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %I IS NULL)', relation, token_column) INTO holes;
      IF holes THEN
        RETURN QUERY SELECT 'error', 'column_nulls', format('column %I contains NULLs, which no guard ever passes', token_column),
          format('UPDATE %s SET %I = 0 WHERE %2$I IS NULL', relation, token_column);
      END IF;
    END IF;
  END IF;
  IF col.default_value IS NULL OR col.default_value NOT IN ('0', '''0''::bigint', '(0)::bigint') THEN
    RETURN QUERY SELECT 'warning', 'column_default', format('the default of column %I is %s', token_column, coalesce(col.default_value, 'missing')),
      format('SELECT fencing.protect(%L, %L)', target, token_column);
  END IF;

  -- the registry and our triggers
  SELECT r.mode INTO intended FROM fencing.registry AS r
  WHERE r.relation = _inspect.relation AND r.token_column = _inspect.token_column;
  IF intended IS NULL THEN
    RETURN QUERY SELECT 'warning', 'not_registered', format('%s is not registered', relation),
      format('SELECT fencing.protect(%L, %L)', target, token_column);
  ELSIF intended <> enforced THEN
    RETURN QUERY SELECT 'error', 'enforcement_damaged', format('mode %s was asked for, the triggers amount to %s', intended, enforced),
      CASE intended WHEN 'guarded' THEN format('SELECT fencing.relax(%L, %L)', target, token_column)
        ELSE format('SELECT fencing.enforce(%L, %L, %L)', target, intended, token_column) END;
  END IF;
  IF enforced = 'strict' THEN
    RETURN QUERY
    SELECT 'error', 'truncate_open', format('TRUNCATE of %s is not refused', member),
      format('SELECT fencing.enforce(%L, ''strict'', %L)', target, token_column)
    FROM fencing._family(relation) AS member
    WHERE NOT EXISTS (SELECT FROM pg_trigger AS t
      WHERE t.tgrelid = member AND t.tgname = fencing._trigger_name('truncate', token_column));
    RETURN QUERY
    SELECT 'warning', 'cascade', format('foreign key %I from here to %s writes here by cascade, which needs an announced token',
      c.conname, c.confrelid::regclass), 'Announce the token before writing the parent, or enter a fence row'
    FROM pg_constraint AS c
    WHERE c.conrelid = relation AND c.contype = 'f' AND (c.confdeltype IN ('c', 'n', 'd') OR c.confupdtype IN ('c', 'n', 'd'));
  END IF;

  -- others that write or rewrite the row
  RETURN QUERY
  SELECT CASE WHEN t.tgname > fencing._trigger_name('update', token_column) AND enforced <> 'guarded' THEN 'error' ELSE 'warning' END,
    'trigger', format('trigger %I (function %s) %s', t.tgname, t.tgfoid::regproc,
      CASE WHEN p.prosrc ~* ('\m' || regexp_replace(token_column, '\W', '.', 'g') || '\M') THEN 'names the token column'
        ELSE 'fires after those of fencing' END),
    CASE WHEN t.tgname > fencing._trigger_name('update', token_column) AND enforced <> 'guarded'
      THEN 'Rename it, so that fencing sees what it does' ELSE 'Make sure that it does not reset the token' END
  FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid
  WHERE t.tgrelid = relation AND NOT t.tgisinternal AND t.tgname NOT LIKE '~fencing\_%'
    AND (t.tgtype & 2) <> 0 AND (t.tgtype & 1) <> 0 -- BEFORE, FOR EACH ROW
    AND (p.prosrc ~* ('\m' || regexp_replace(token_column, '\W', '.', 'g') || '\M')
      OR t.tgname > fencing._trigger_name('update', token_column));
  RETURN QUERY
  SELECT 'warning', 'rule', format('rule %I rewrites statements on this table', r.rulename),
    'Replace it by a trigger: a rewritten statement may not be what was guarded'
  FROM pg_rewrite AS r WHERE r.ev_class = relation AND r.ev_type <> '1';
  IF it.relrowsecurity THEN
    RETURN QUERY SELECT 'info', 'row_security', 'row level security hides rows: a stale write may look like a missing row',
      'Let the policies show what the writer may claim';
  END IF;
  RETURN QUERY
  SELECT 'info', 'subscription', 'the table receives logical replication, which the triggers do not see',
    'Let only one side write'
  FROM pg_subscription_rel AS s WHERE s.srrelid = relation LIMIT 1;

  -- costs
  RETURN QUERY
  SELECT 'warning', 'index', format('index %s contains the token column: no update can be HOT', i.indexrelid::regclass),
    format('DROP INDEX CONCURRENTLY %s', i.indexrelid::regclass)
  FROM pg_index AS i
  WHERE i.indrelid = relation AND (col.attnum = ANY (i.indkey)
    OR EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_class'::regclass AND d.objid = i.indexrelid
      AND d.refclassid = 'pg_class'::regclass AND d.refobjid = relation AND d.refobjsubid = col.attnum));

  -- rights
  RETURN QUERY
  SELECT 'error', 'grant_missing', format('role %s may update some columns, but not the token', quote_ident(pg_get_userbyid(g.grantee))),
    format('GRANT SELECT (%1$I), UPDATE (%1$I) ON %2$s TO %3$I', token_column, relation, pg_get_userbyid(g.grantee))
  FROM (SELECT DISTINCT acl.grantee FROM pg_attribute AS a CROSS JOIN aclexplode(a.attacl) AS acl
    WHERE a.attrelid = relation AND NOT a.attisdropped AND acl.privilege_type = 'UPDATE' AND acl.grantee <> 0) AS g
  WHERE NOT has_column_privilege(g.grantee, relation, col.attnum, 'UPDATE');
  IF enforced <> 'strict' THEN
    RETURN QUERY
    SELECT 'info', 'grants', format('may write without a token: %s', string_agg(DISTINCT
      CASE acl.grantee WHEN 0 THEN 'everybody' ELSE quote_ident(pg_get_userbyid(acl.grantee)) END, ', ')),
      format('When all writers present tokens: SELECT fencing.enforce(%L, ''strict'', %L)', target, token_column)
    FROM aclexplode(it.relacl) AS acl
    WHERE acl.privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE') AND acl.grantee <> it.relowner
    HAVING count(*) > 0;
  END IF;

  -- views on top
  RETURN QUERY
  SELECT DISTINCT 'info', 'view', format('view %s does not show the token, so writes through it cannot be guarded', v.oid::regclass),
    'Add the column to the view, or write to the table'
  FROM pg_depend AS d JOIN pg_rewrite AS w ON w.oid = d.objid JOIN pg_class AS v ON v.oid = w.ev_class
  WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = relation
    AND v.relkind = 'v' AND (pg_relation_is_updatable(v.oid, false) & 4) <> 0
    AND NOT EXISTS (SELECT FROM pg_depend AS s WHERE s.classid = d.classid AND s.objid = d.objid
      AND s.refobjid = relation AND s.refobjsubid = col.attnum);
END
$$;
