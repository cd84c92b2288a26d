---------------------------------------------------------------------------------------------------------------------
-- Version of this file, here and in fencing.version(): each release that changes the file raises it. An older library
-- never replaces the functions of a newer one.
---------------------------------------------------------------------------------------------------------------------

-- Nothing that somebody else has put into the schema is adopted, or even called.
DO $$
DECLARE
  strangers pg_catalog.text; -- qualified, since the path is checked below only
BEGIN
  IF pg_catalog.current_setting('search_path') OPERATOR(pg_catalog.<>) 'pg_catalog, pg_temp' THEN
    RAISE EXCEPTION 'the scripts of fenced-write need one transaction'
      USING ERRCODE = 'WF112', DETAIL = pg_catalog.json_build_object('target', 'fencing'),
        HINT = 'With psql: psql -1 -v ON_ERROR_STOP=1 -f fencing.sql';
  END IF;
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

DO $$
DECLARE
  mine      CONSTANT integer := 1;
  installed integer;
  missing   text;
BEGIN
  IF to_regprocedure('fencing.version()') IS NOT NULL THEN
    installed := fencing.version();
    IF installed > mine THEN
      RAISE EXCEPTION 'fencing functions of version % are installed, these are of version %', installed, mine
        USING ERRCODE = 'WF111',
          DETAIL = json_build_object('target', 'fencing', 'installed', installed, 'offered', mine),
          HINT = 'Use the fenced-write library that installed them, or a newer one. Nothing was changed.';
    END IF;
  END IF;
  SELECT string_agg(name, ', ') INTO missing
  FROM unnest(ARRAY['fencing.registry', 'fencing.fence', 'fencing.fence_floor', 'fencing.audit']) AS name
  WHERE to_regclass(name) IS NULL;
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'the schema fencing is incomplete: % missing', missing
      USING ERRCODE = 'WF112',
        DETAIL = json_build_object('target', 'fencing', 'missing', missing),
        HINT = 'Run the plain SQL file of fenced-write once: it creates what is missing and keeps what is there.';
  END IF;
END
$$;

CREATE OR REPLACE FUNCTION fencing.version() RETURNS integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN 1;

