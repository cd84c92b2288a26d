---------------------------------------------------------------------------------------------------------------------
-- fencing.guard for token columns with other names
---------------------------------------------------------------------------------------------------------------------

-- The name of the guard for a column; names that are too long are told apart by a hash.
CREATE OR REPLACE FUNCTION fencing._guard_name(token_column text) RETURNS name
  LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE
      WHEN token_column = 'last_token' THEN 'guard'
      WHEN octet_length(token_column) <= 57 THEN 'guard_' || token_column
      ELSE 'guard_' || md5(token_column)
    END::name
$$;

-- Makes the guard for a column: the text of fencing.guard with another name in it. Whoever protects tables may call
-- it, and cannot create anything else in this schema.
CREATE OR REPLACE FUNCTION fencing._guard_of(token_column text) RETURNS name
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  name CONSTANT text := fencing._guard_name(token_column);
  body CONSTANT text := (SELECT replace(p.prosrc, 'last_token', quote_ident(token_column)) FROM pg_proc AS p
    WHERE p.oid = 'fencing.guard()'::regprocedure);
BEGIN
  IF token_column IS NULL OR octet_length(token_column) NOT BETWEEN 1 AND 63 THEN
    RAISE EXCEPTION 'no guard for a column %', token_column
      USING ERRCODE = 'WF108', DETAIL = json_build_object('target', token_column),
        HINT = 'The name of a column has 1 to 63 bytes.';
  END IF;
  IF token_column <> 'last_token'
    AND NOT EXISTS (SELECT FROM pg_proc WHERE pronamespace = 'fencing'::regnamespace AND proname = name AND prosrc = body) THEN
    -- two sessions that replace the same function at once would fail
    PERFORM pg_advisory_xact_lock(hashtextextended(name, x'66656e63696e67'::bigint));
    EXECUTE format('CREATE OR REPLACE FUNCTION fencing.%I() RETURNS trigger LANGUAGE plpgsql STABLE AS %L', name, body);
    EXECUTE format('GRANT EXECUTE ON FUNCTION fencing.%I() TO PUBLIC', name);
  END IF;
  RETURN name;
END
$$;

-- Those that are there are made anew from this version's text.
SELECT fencing._guard_of(a.token_column)
FROM (SELECT DISTINCT r.token_column FROM fencing.registry AS r
  WHERE to_regproc(format('fencing.%I', fencing._guard_name(r.token_column))) IS NOT NULL) AS a (token_column);

