---------------------------------------------------------------------------------------------------------------------
-- enforce: the database refuses stale writes of any client
---------------------------------------------------------------------------------------------------------------------

-- Switches refusal of stale writes on. Modes:
--   monotonic  refuses an UPDATE that lowers the token; one that leaves the token alone passes
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
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms'
AS $$
DECLARE
  todo text[];
BEGIN
  PERFORM fencing._check_enforce(relation, target, mode, token_column);
  PERFORM fencing._guard_of(token_column);
  todo := fencing._enforce_commands(relation, mode, token_column);
  IF cardinality(todo) > 0 THEN
    PERFORM fencing._lock(ARRAY[relation], fencing._lock_of(todo), patience);
    -- whatever has happened meanwhile
    PERFORM fencing._check_enforce(relation, target, mode, token_column);
    PERFORM fencing._run(relation, fencing._enforce_commands(relation, mode, token_column));
  END IF;
  -- what was enforced before it was attached is its parent's now
  DELETE FROM fencing.registry AS r USING fencing._family(_enforce.relation) AS m, pg_class AS c
  WHERE r.relation = m AND r.token_column = _enforce.token_column AND c.oid = m AND c.relispartition;
  PERFORM fencing._set_mode(relation, token_column, mode, 'enforce');
  RETURN format('%s refuses stale writes, column %I, mode %s', relation, token_column, mode);
END
$$;

CREATE OR REPLACE FUNCTION fencing._check_enforce(relation regclass, target text, mode text, token_column text) RETURNS void
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF mode IS NULL OR mode NOT IN ('monotonic', 'strict') THEN
    RAISE EXCEPTION 'there is no mode %', coalesce(quote_literal(mode), 'NULL')
      USING ERRCODE = 'WF108', DETAIL = json_build_object('target', target, 'mode', mode),
        HINT = 'Use ''monotonic'' or ''strict''; fencing.relax switches enforcement off.';
  END IF;
  PERFORM fencing._require_column(relation, target, token_column);
  PERFORM fencing._require_single(relation, target, token_column, mode <> 'strict');
  IF cardinality(fencing._fitting(relation, target, token_column)) > 0 THEN
    RAISE EXCEPTION 'column % of % has been altered', quote_ident(token_column), target
      USING ERRCODE = 'WF103', DETAIL = json_build_object('target', target, 'column', token_column),
        HINT = format('SELECT fencing.protect(%L, %L) puts NOT NULL and the default back.', target, token_column);
  END IF;
END
$$;

-- The conditions are true for whatever is not known to be right, NULL among it, and for what has to be stamped. They are kept
-- as short as can be, since PostgreSQL prepares them anew for each statement: that is most of what enforcement costs a
-- single row.
CREATE OR REPLACE FUNCTION fencing._trigger_command(
  relation regclass, trigger_name name, operation text, token_column text, mode text) RETURNS text
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format('CREATE OR REPLACE TRIGGER %I BEFORE %s ON %s FOR EACH %s EXECUTE FUNCTION fencing.%I(%L, %L, %L)',
    trigger_name, upper(operation), relation,
    CASE
      WHEN operation = 'truncate' THEN 'STATEMENT'
      ELSE format('ROW WHEN ((%s) IS NOT TRUE)', format(CASE
        WHEN operation = 'update' AND mode = 'monotonic' THEN 'NEW.%1$I >= OLD.%1$I'
        WHEN operation = 'update' THEN 'NEW.%1$I > OLD.%1$I'
        ELSE '%2$s.%1$I > 0 AND %2$s.%1$I::text = pg_catalog.current_setting(''fencing.token'', true)'
      END, token_column, CASE operation WHEN 'insert' THEN 'NEW' ELSE 'OLD' END))
    END,
    fencing._guard_name(token_column), token_column, mode, fencing._trigger_version())
$$;

-- What leads from the triggers that are there to those of a mode.
CREATE OR REPLACE FUNCTION fencing._enforce_commands(relation regclass, mode text, token_column text) RETURNS text[]
  LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
  WITH wanted AS (
    -- partitions inherit row triggers, nothing inherits statement triggers
    SELECT m AS member, o.operation, NOT (c.relispartition AND o.operation <> 'truncate') AS own,
      fencing._trigger_name(o.operation, token_column, c.relkind = 'p' AND o.operation <> 'truncate') AS trigger_name
    FROM fencing._family(relation) WITH ORDINALITY AS f (m, place) JOIN pg_class AS c ON c.oid = m
      JOIN unnest(ARRAY['update', 'insert', 'delete', 'truncate']) AS o (operation)
        ON (mode = 'strict' OR o.operation = 'update') AND NOT (c.relkind = 'f' AND o.operation = 'truncate')
  ), present AS (
    SELECT t.*, t.mode = _enforce_commands.mode AND t.version = fencing._trigger_version() AS current,
      EXISTS (SELECT FROM wanted AS w WHERE w.member = t.member AND w.trigger_name = t.trigger_name AND w.own) AS wanted
    FROM fencing._triggers(relation, token_column) AS t
  )
  SELECT coalesce(array_agg(command ORDER BY step, place), '{}') FROM (
    SELECT 1 AS step, p.member::text || p.trigger_name AS place,
      format('DROP TRIGGER %I ON %s', p.trigger_name, p.member) AS command
    FROM present AS p WHERE NOT p.inherited AND NOT p.wanted
    UNION ALL
    SELECT 2, w.member::text || w.operation, fencing._trigger_command(w.member, w.trigger_name, w.operation, token_column, mode)
    FROM wanted AS w
    WHERE w.own AND NOT EXISTS (SELECT FROM present AS p
      WHERE p.member = w.member AND p.trigger_name = w.trigger_name AND p.operation = w.operation AND p.current)
    UNION ALL
    SELECT 3, p.member::text || p.operation, format('ALTER TABLE %s ENABLE TRIGGER %I', p.member, p.trigger_name)
    FROM present AS p WHERE p.enabled IN ('D', 'R') AND (p.inherited OR p.wanted)
  ) AS commands
$$;

-- A trigger is created while others read; dropping one needs the table alone.
CREATE OR REPLACE FUNCTION fencing._lock_of(commands text[]) RETURNS text
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN EXISTS (SELECT FROM unnest(commands) AS command WHERE command NOT LIKE 'CREATE %' AND command NOT LIKE '%ENABLE TRIGGER%')
    THEN 'ACCESS EXCLUSIVE' ELSE 'SHARE ROW EXCLUSIVE' END
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

