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
    ARRAY(SELECT fencing._resolve(t.target) FROM pg_catalog.unnest(targets) WITH ORDINALITY AS t (target)),
    targets, token_column, patience);
END
$$;

CREATE OR REPLACE FUNCTION fencing._protect(relations regclass[], targets text[], token_column text, patience interval)
  RETURNS text
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms'
AS $$
DECLARE
  added    CONSTANT boolean[] := ARRAY(SELECT NOT EXISTS (SELECT FROM pg_attribute AS a
    WHERE a.attrelid = r AND a.attname = token_column AND NOT a.attisdropped)
    FROM unnest(relations) WITH ORDINALITY AS u (r, place) ORDER BY place);
  todo     boolean := false;
  tries    integer := 0;
  commands text[];
  answer   text[] := '{}';
  place    integer;
BEGIN
  IF coalesce(cardinality(relations), 0) = 0 THEN
    RAISE EXCEPTION 'no table is named' USING ERRCODE = 'WF108', DETAIL = json_build_object('target', targets),
      HINT = 'For example: SELECT fencing.protect_all(ARRAY[''public.inventory'', ''public.order_line''])';
  END IF;
  FOR place IN 1 .. cardinality(relations) LOOP
    PERFORM fencing._check_arguments(targets[place], token_column, patience);
    PERFORM fencing._require_owner(relations[place], targets[place]);
    PERFORM fencing._require_single(relations[place], targets[place], token_column, true);
    todo := todo OR cardinality(fencing._protect_commands(relations[place], targets[place], token_column)) > 0;
  END LOOP;
  DELETE FROM fencing.registry AS r WHERE NOT EXISTS (SELECT FROM pg_class AS c WHERE c.oid = r.relation);
  IF todo THEN
    tries := fencing._lock(relations, 'ACCESS EXCLUSIVE', patience);
  END IF;

  FOR place IN 1 .. cardinality(relations) LOOP
    commands := fencing._protect_commands(relations[place], targets[place], token_column);
    PERFORM fencing._run(relations[place], commands);
    INSERT INTO fencing.registry AS r (relation, token_column, table_name, column_added)
    VALUES (relations[place], token_column, relations[place]::text, added[place])
    ON CONFLICT ON CONSTRAINT registry_pkey DO UPDATE SET table_name = EXCLUDED.table_name
    WHERE r.table_name <> EXCLUDED.table_name;
    IF FOUND OR cardinality(commands) > 0 THEN
      INSERT INTO fencing.audit (action, target, detail) VALUES ('protect', relations[place]::text,
        jsonb_build_object('column', token_column, 'tries', tries, 'commands', to_jsonb(commands)));
      answer := answer || format('%s is protected, column %I %s', relations[place], token_column,
        CASE WHEN added[place] THEN 'added' ELSE 'taken over' END);
    ELSE
      answer := answer || format('%s was protected before, column %I', relations[place], token_column);
    END IF;
  END LOOP;
  RETURN array_to_string(answer, '; ');
END
$$;

CREATE OR REPLACE FUNCTION fencing._protect_commands(relation regclass, target text, token_column text) RETURNS text[]
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF fencing._renamed_to(relation, token_column) IS NOT NULL THEN
    PERFORM fencing._require_column(relation, target, token_column);
  END IF;
  IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = relation AND attname = token_column AND NOT attisdropped) THEN
    RETURN fencing._fitting(relation, target, token_column);
  END IF;
  -- a constant default is kept in the catalog, so no row is rewritten; IF NOT EXISTS for another instance that is
  -- doing the same right now
  RETURN ARRAY[format('ALTER TABLE %s ADD COLUMN IF NOT EXISTS %I bigint NOT NULL DEFAULT 0', relation, token_column)];
END
$$;

-- A transaction announces one token, and those of two resources cannot be compared: where strict is enforced, or is to
-- be, no other column of the same rows can hold tokens.
CREATE OR REPLACE FUNCTION fencing._require_single(
  relation regclass, target text, token_column text, only_strict boolean) RETURNS void
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  other record;
BEGIN
  SELECT * INTO other FROM fencing._other_columns(relation, token_column)
  WHERE NOT only_strict OR other_mode = 'strict' LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'the rows of % hold tokens in column % too', target, quote_ident(other.other_column)
      USING ERRCODE = 'WF113', DETAIL = json_build_object('target', target, 'column', token_column,
        'other', other.other_column, 'mode', other.other_mode),
        HINT = format('A transaction announces one token only, so strict needs one token column: SELECT fencing.enforce(%L, '
          '''monotonic'', ...) for each column, or one column whose resource covers both, or fence rows.', target);
  END IF;
END
$$;

