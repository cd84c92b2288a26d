-- Schema and tables of fenced-write. The functions are in R__fencing_functions.sql.
--
-- A released versioned script never changes: what later versions need goes into V2 and up. Each versioned script can be
-- run again without harm, because the plain SQL file for psql contains all of them. There are no placeholders, since
-- Flyway leaves them out of the checksum.
--
-- The number is that of every installation of fenced-write (the letters "fencing"): two instances that start at the
-- same time take turns.
SELECT pg_catalog.pg_advisory_xact_lock(x'66656e63696e67'::bigint);

-- CREATE SCHEMA IF NOT EXISTS asks for the right to create schemas even where the schema is there already. An
-- administrator may have made it for a role that has no such right.
DO $$
BEGIN
  IF pg_catalog.to_regnamespace('fencing') IS NULL THEN
    CREATE SCHEMA fencing;
    COMMENT ON SCHEMA fencing IS 'fenced-write: fencing tokens for tables';
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
  mode         text        NOT NULL DEFAULT 'guarded' CHECK (mode IN ('guarded', 'monotonic', 'strict')),
  column_added boolean     NOT NULL, -- by fencing.protect; a column that was there before survives fencing.unprotect
  protected_at timestamptz NOT NULL DEFAULT now(),
  protected_by name        NOT NULL DEFAULT current_user,
  PRIMARY KEY (relation, token_column)
);
COMMENT ON TABLE fencing.registry IS 'Token columns, see the view fencing.protected_tables';
GRANT SELECT ON fencing.registry TO PUBLIC; -- it says no more than the catalog, and fencing.inspect reads it

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

-- The greatest token that fencing.cleanup has deleted from the fence table. Exactly one row.
CREATE TABLE IF NOT EXISTS fencing.fence_floor (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  last_token bigint  NOT NULL DEFAULT 0 CHECK (last_token >= 0)
);
INSERT INTO fencing.fence_floor DEFAULT VALUES ON CONFLICT DO NOTHING;
COMMENT ON TABLE fencing.fence_floor IS 'A new row of fencing.fence needs a token above this one';

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
