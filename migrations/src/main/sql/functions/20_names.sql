---------------------------------------------------------------------------------------------------------------------
-- Names of tables and columns
---------------------------------------------------------------------------------------------------------------------

-- The table that a name means on the caller's search_path, or an error that says why it cannot be protected.
CREATE OR REPLACE FUNCTION fencing._resolve(target text) RETURNS regclass
  LANGUAGE plpgsql STABLE
AS $$
DECLARE
  relation pg_catalog.regclass;
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
      AND lower(c.relname) = lower(btrim(regexp_replace(target, '^.*[.]', ''), '" '));
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

-- The table that a schema and a name mean, as they stand in fencing.registry, or NULL. Unlike to_regclass it needs no right
-- on the schema, so that every role can see the state of all tables.
CREATE OR REPLACE FUNCTION fencing._named(table_name text) RETURNS oid
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  parts text[];
BEGIN
  parts := parse_ident(table_name);
  RETURN (SELECT c.oid FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE cardinality(parts) = 2 AND n.nspname = parts[1] AND c.relname = parts[2]);
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN NULL; -- not even a name
END
$$;

