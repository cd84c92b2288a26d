-- Schema and tables of fenced-write. The functions are in R__fencing_functions.sql.
--
-- A released versioned script never changes: what later versions need goes into V2 and up. Each versioned script can be
-- run again without harm, because the plain SQL file for psql contains all of them. There are no placeholders, since
-- Flyway leaves them out of the checksum.
--
-- While it runs, nothing but PostgreSQL's own functions, operators and types can be meant; the last statement puts the
-- search_path back. No string has a backslash in it, so that standard_conforming_strings makes no difference.
SELECT pg_catalog.set_config('fencing.outer_search_path', pg_catalog.current_setting('search_path'), true),
  pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

-- The number is that of every installation of fenced-write (the letters "fencing"): two instances that start at the
-- same time take turns.
SELECT pg_catalog.pg_advisory_xact_lock(x'66656e63696e67'::pg_catalog.int8);

DO $$
DECLARE
  strangers pg_catalog.text; -- qualified, since the path is checked below only
BEGIN
  IF pg_catalog.current_setting('search_path') OPERATOR(pg_catalog.<>) 'pg_catalog, pg_temp' THEN
    RAISE EXCEPTION 'the scripts of fenced-write need one transaction'
      USING ERRCODE = 'WF112', DETAIL = pg_catalog.json_build_object('target', 'fencing'),
        HINT = 'With psql: psql -1 -v ON_ERROR_STOP=1 -f fencing.sql';
  END IF;
  -- CREATE SCHEMA IF NOT EXISTS asks for the right to create schemas even where the schema is there already. An
  -- administrator may have made it for a role that has no such right.
  IF to_regnamespace('fencing') IS NULL THEN
    CREATE SCHEMA fencing;
    COMMENT ON SCHEMA fencing IS 'fenced-write: fencing tokens for tables';
  END IF;
  -- Nothing that somebody else has made is adopted, or even written to: its owner can replace it, and what hangs on it
  -- runs with the rights of this role. A superuser can do so everywhere, and a member of the owner's role is the owner.
  SELECT string_agg(format('%s of %I', it.what, r.rolname), ', ') INTO strangers
  FROM (
      SELECT 'the schema' AS what, nspowner AS owner FROM pg_namespace WHERE nspname = 'fencing'
      UNION ALL
      SELECT relname::text, relowner FROM pg_class WHERE relnamespace = to_regnamespace('fencing') AND relkind <> 'i'
      UNION ALL
      SELECT proname || '()', proowner FROM pg_proc WHERE pronamespace = to_regnamespace('fencing')
      UNION ALL
      SELECT 'type ' || typname, typowner FROM pg_type WHERE typnamespace = to_regnamespace('fencing')
        AND typrelid = 0 AND typelem = 0
      UNION ALL
      SELECT 'operator ' || oprname, oprowner FROM pg_operator WHERE oprnamespace = to_regnamespace('fencing')
    ) AS it
    JOIN pg_roles AS r ON r.oid = it.owner JOIN pg_roles AS me ON me.rolname = current_user
  WHERE r.oid <> me.oid AND NOT r.rolsuper AND (me.rolsuper OR NOT pg_has_role(me.oid, r.oid, 'USAGE'));
  IF strangers IS NOT NULL THEN
    RAISE EXCEPTION 'in the schema fencing is something that does not belong to %: %', current_user, left(strangers, 500)
      USING ERRCODE = 'WF106', DETAIL = json_build_object('target', 'fencing', 'owners', left(strangers, 500)),
        HINT = 'Look at it. Install as that role if it has installed the schema, else drop what it has made. '
          'Nothing was changed.';
  END IF;
END
$$;

-- Triggers run with the rights of whoever writes, and plain roles may inspect; they must be able to see the schema. Its
-- tables stay closed to all but their owner, see fencing.grant_access.
GRANT USAGE ON SCHEMA fencing TO PUBLIC;

---------------------------------------------------------------------------------------------------------------------
-- Which columns hold fencing tokens, and what is meant to be enforced there.
-- regclass follows a rename; dump and restore write it as a name.
---------------------------------------------------------------------------------------------------------------------
CREATE TABLE IF NOT EXISTS fencing.registry (
  relation     regclass    NOT NULL,
  token_column name        NOT NULL,
  table_name   text        NOT NULL, -- when it was protected: another table of this name has taken its place
  mode         text        NOT NULL DEFAULT 'guarded' CHECK (mode IN ('guarded', 'monotonic', 'strict')),
  column_added boolean     NOT NULL, -- by fencing.protect; a column that was there before survives fencing.unprotect
  protected_at timestamptz NOT NULL DEFAULT now(),
  protected_by name        NOT NULL DEFAULT current_user,
  PRIMARY KEY (relation, token_column)
);
COMMENT ON TABLE fencing.registry IS 'Token columns, see the view fencing.protected_tables';
GRANT SELECT ON fencing.registry TO PUBLIC; -- it says no more than the catalog, and fencing.inspect reads it

-- A migrator registers his own tables, and forgets those that are gone.
ALTER TABLE fencing.registry ENABLE ROW LEVEL SECURITY;
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = 'fencing.registry'::regclass) THEN
    CREATE POLICY everybody_reads ON fencing.registry FOR SELECT USING (true);
    CREATE POLICY owners_write ON fencing.registry USING (
      NOT EXISTS (SELECT FROM pg_class AS c WHERE c.oid = relation AND NOT pg_has_role(c.relowner, 'USAGE')));
  END IF;
END
$$;

---------------------------------------------------------------------------------------------------------------------
-- The fence table: for each resource the token of the last transaction that entered it, see fencing.enter.
-- Collation C, so that an upgrade of the operating system never invalidates the index. Free space on each page, so that
-- a new token does not touch the index (HOT).
---------------------------------------------------------------------------------------------------------------------
CREATE TABLE IF NOT EXISTS fencing.fence (
  resource   text COLLATE "C" PRIMARY KEY CHECK (octet_length(resource) BETWEEN 1 AND 1024),
  last_token bigint NOT NULL CHECK (last_token > 0)
) WITH (fillfactor = 70);
COMMENT ON TABLE fencing.fence IS 'Last token for each resource, see fencing.enter and fencing.cleanup';

---------------------------------------------------------------------------------------------------------------------
-- What was done through the functions, by whom, when.
---------------------------------------------------------------------------------------------------------------------
CREATE TABLE IF NOT EXISTS fencing.audit (
  id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  by_role name        NOT NULL DEFAULT session_user,
  action  text        NOT NULL,
  target  text        NOT NULL,
  detail  jsonb       NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE fencing.audit IS 'What was done through the functions of this schema';

-- The greatest token that fencing.cleanup has deleted from the fence table. Exactly one row.
CREATE TABLE IF NOT EXISTS fencing.fence_floor (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  last_token bigint  NOT NULL DEFAULT 0 CHECK (last_token >= 0)
);
COMMENT ON TABLE fencing.fence_floor IS 'A new row of fencing.fence needs a token above this one';
GRANT SELECT ON fencing.fence_floor TO PUBLIC;

-- Where the row was lost, the audit tells what rebase_floor and cleanup have made of it.
INSERT INTO fencing.fence_floor (last_token)
SELECT coalesce(max(coalesce((detail ->> 'greatest')::bigint, (detail ->> 'token')::bigint)), 0)
FROM fencing.audit
WHERE action IN ('cleanup', 'rebase_floor')
  AND id >= coalesce((SELECT max(id) FROM fencing.audit WHERE action = 'rebase_floor'), 0)
ON CONFLICT DO NOTHING;

SELECT pg_catalog.set_config('search_path', pg_catalog.current_setting('fencing.outer_search_path'), true);
