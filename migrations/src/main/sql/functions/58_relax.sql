---------------------------------------------------------------------------------------------------------------------
-- relax and unprotect: the way back
---------------------------------------------------------------------------------------------------------------------

-- Switches enforcement off; the column and its tokens stay. Idempotent. Works for a partition that was detached, too, and
-- where the column is gone.
CREATE OR REPLACE FUNCTION fencing.relax(
  target text, token_column text DEFAULT 'last_token', patience interval DEFAULT '1 minute') RETURNS text
  LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  RETURN fencing._relax(fencing._resolve(target), target, token_column, patience);
END
$$;

CREATE OR REPLACE FUNCTION fencing._relax(relation regclass, target text, token_column text, patience interval) RETURNS text
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms'
AS $$
BEGIN
  PERFORM fencing._check_arguments(target, token_column, patience);
  PERFORM fencing._require_owner(relation, target);
  IF cardinality(fencing._relax_commands(relation, token_column)) = 0 THEN
    PERFORM fencing._require_protected(relation, target, token_column);
  ELSE
    PERFORM fencing._lock(ARRAY[relation], 'ACCESS EXCLUSIVE', patience);
    PERFORM fencing._run(relation, fencing._relax_commands(relation, token_column));
  END IF;
  PERFORM fencing._set_mode(relation, token_column, 'guarded', 'relax');
  RETURN format('%s refuses nothing by itself any more, column %I', relation, token_column);
END
$$;

-- Those that partitions have inherited go with their parent's.
CREATE OR REPLACE FUNCTION fencing._relax_commands(relation regclass, token_column text) RETURNS text[]
  LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(array_agg(format('DROP TRIGGER %I ON %s', t.trigger_name, t.member) ORDER BY t.member::text, t.trigger_name), '{}')
  FROM fencing._triggers(relation, token_column) AS t WHERE NOT t.inherited
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
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms'
AS $$
DECLARE
  commands text[] := fencing._unprotect_commands(relation, token_column);
  reason   text;
BEGIN
  IF cardinality(commands) > 0 THEN
    PERFORM fencing._lock(ARRAY[relation], 'ACCESS EXCLUSIVE', patience);
    commands := fencing._unprotect_commands(relation, token_column);
    BEGIN
      PERFORM fencing._run(relation, commands);
    EXCEPTION WHEN dependent_objects_still_exist THEN
      GET STACKED DIAGNOSTICS reason = PG_EXCEPTION_DETAIL;
      RAISE EXCEPTION 'column % of % is still in use', quote_ident(token_column), target
        USING ERRCODE = 'WF109', DETAIL = json_build_object('target', target, 'column', token_column, 'users', reason),
          HINT = 'Replace what uses the column (see DETAIL), then repeat.';
    END;
  END IF;
  DELETE FROM fencing.registry AS r
  WHERE r.relation = _unprotect.relation AND r.token_column = _unprotect.token_column;
  INSERT INTO fencing.audit (action, target, detail) VALUES ('unprotect', relation::text,
    jsonb_build_object('column', token_column, 'commands', to_jsonb(commands)));
  RETURN format('%s is not protected any more, column %I %s', relation, token_column, CASE
    WHEN commands[cardinality(commands)] LIKE 'ALTER TABLE % DROP COLUMN %' THEN 'dropped'
    WHEN EXISTS (SELECT FROM pg_attribute WHERE attrelid = relation AND attname = token_column AND NOT attisdropped)
      THEN 'stays as it is now, with NOT NULL and DEFAULT 0'
    ELSE 'was gone' END);
END
$$;

CREATE OR REPLACE FUNCTION fencing._unprotect_commands(relation regclass, token_column text) RETURNS text[]
  LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT fencing._relax_commands(relation, token_column) || ARRAY(
    SELECT format('ALTER TABLE %s DROP COLUMN %I', r.relation, r.token_column)
    FROM fencing.registry AS r
      JOIN pg_attribute AS a ON a.attrelid = r.relation AND a.attname = r.token_column AND NOT a.attisdropped
    WHERE r.relation = _unprotect_commands.relation AND r.token_column = _unprotect_commands.token_column AND r.column_added)
$$;

