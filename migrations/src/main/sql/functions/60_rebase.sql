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
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms'
AS $$
DECLARE
  greatest_before bigint;
  changed         bigint;
  enable          text[];
BEGIN
  PERFORM fencing._check_rebase(target, token);
  PERFORM fencing._require_column(relation, target, token_column);
  PERFORM fencing._require_all_rows(relation, target);
  -- against SELECT FOR UPDATE, too: the UPDATE below would wait for such a row, and its holder for this lock
  PERFORM fencing._lock(ARRAY[relation], 'EXCLUSIVE', patience);
  -- whatever has happened meanwhile
  PERFORM fencing._require_column(relation, target, token_column);
  PERFORM fencing._require_all_rows(relation, target);
  enable := fencing._switch_commands(relation, token_column, false);
  IF cardinality(enable) > 0 THEN
    EXECUTE 'SET CONSTRAINTS ALL IMMEDIATE'; -- no trigger can be switched while one is deferred
  END IF;
  EXECUTE format('SELECT max(%I) FROM %s', token_column, relation) INTO greatest_before;
  -- Our own triggers are off until the end of this function, for this transaction alone: nobody else can write, and only
  -- the owner of the table can do so. There is no setting that lets a token be lowered.
  PERFORM fencing._run(relation, fencing._switch_commands(relation, token_column, true));
  EXECUTE format('UPDATE %s SET %I = $1 WHERE %2$I > $1', relation, token_column) USING token;
  GET DIAGNOSTICS changed = ROW_COUNT;
  PERFORM fencing._run(relation, enable);
  INSERT INTO fencing.audit (action, target, detail) VALUES ('rebase', relation::text, jsonb_build_object(
    'column', token_column, 'token', token, 'greatest_before', greatest_before, 'rows', changed));
  RETURN changed;
END
$$;

-- A policy that holds for the owner as well would hide rows, whose tokens would stay.
CREATE OR REPLACE FUNCTION fencing._require_all_rows(relation regclass, target text) RETURNS void
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF row_security_active(relation) THEN
    RAISE EXCEPTION 'row-level security may hide rows of % from role %', target, current_user
      USING ERRCODE = 'WF106', DETAIL = json_build_object('target', target),
        HINT = format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY, rebase, and put FORCE back, in one transaction.', relation);
  END IF;
END
$$;

-- Commands that switch our triggers for UPDATE off, or back to what they are now.
CREATE OR REPLACE FUNCTION fencing._switch_commands(relation regclass, token_column text, off boolean) RETURNS text[]
  LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(array_agg(format('ALTER TABLE ONLY %s %s TRIGGER %I', t.member,
    CASE WHEN off THEN 'DISABLE' WHEN t.enabled = 'A' THEN 'ENABLE ALWAYS' WHEN t.enabled = 'R' THEN 'ENABLE REPLICA'
      ELSE 'ENABLE' END, t.trigger_name) ORDER BY t.member::text, t.trigger_name), '{}')
  FROM fencing._triggers(relation, token_column) AS t WHERE t.operation = 'update' AND t.enabled <> 'D'
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
  -- no UPDATE: writers, who may do that, cannot lower a token
  DELETE FROM fencing.fence AS f WHERE f.resource = $1;
  IF token > 0 THEN
    INSERT INTO fencing.fence (resource, last_token) VALUES ($1, token);
  END IF;
  INSERT INTO fencing.audit (action, target, detail)
  VALUES ('rebase_resource', $1, jsonb_build_object('token', token, 'before', before));
  RETURN before;
END
$$;

-- Sets the floor under new fence rows, for a source of tokens that starts lower, or where it was lost. Returns the floor
-- before, NULL if it was lost.
CREATE OR REPLACE FUNCTION fencing.rebase_floor(token bigint) RETURNS bigint
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  before bigint;
BEGIN
  PERFORM fencing._check_rebase('fencing.fence_floor', token);
  PERFORM fencing._require_rights('fencing.fence_floor');
  SELECT last_token INTO before FROM fencing.fence_floor FOR UPDATE;
  INSERT INTO fencing.fence_floor AS l (last_token) VALUES (token)
  ON CONFLICT (only_row) DO UPDATE SET last_token = EXCLUDED.last_token;
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

