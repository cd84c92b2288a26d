---------------------------------------------------------------------------------------------------------------------
-- preview: what another function would run, without running it, for reviewers and for linters of migrations
---------------------------------------------------------------------------------------------------------------------

-- Action is protect, enforce, relax, unprotect or rebase; only enforce takes a mode. Refuses what the function itself would
-- refuse. Takes no lock, changes nothing. The lines are the locks and the statements in their order; the functions also
-- keep fencing.registry and fencing.audit, and retry for the locks.
CREATE OR REPLACE FUNCTION fencing.preview(
  action text, target text, token_column text DEFAULT 'last_token', mode text DEFAULT NULL) RETURNS SETOF text
  LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  RETURN QUERY SELECT p.line FROM fencing._preview(action, fencing._resolve(target), target, token_column, mode) AS p (line);
END
$$;

CREATE OR REPLACE FUNCTION fencing._preview(action text, relation regclass, target text, token_column text, mode text)
  RETURNS SETOF text
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  commands  text[];
  lock_mode text := 'ACCESS EXCLUSIVE';
BEGIN
  PERFORM fencing._check_arguments(target, token_column, interval '0');
  IF action IS NULL OR action NOT IN ('protect', 'enforce', 'relax', 'unprotect', 'rebase')
    OR (mode IS NOT NULL) <> (action = 'enforce') THEN
    RAISE EXCEPTION 'no preview of % with mode %', action, mode
      USING ERRCODE = 'WF108', DETAIL = json_build_object('target', target, 'action', action, 'mode', mode),
        HINT = 'The action is protect, enforce, relax, unprotect or rebase; enforce takes a mode: '
          'SELECT * FROM fencing.preview(''enforce'', ''public.inventory'', mode => ''strict'')';
  END IF;
  IF action = 'protect' THEN
    PERFORM fencing._require_single(relation, target, token_column, true);
    commands := fencing._protect_commands(relation, target, token_column);
  ELSIF action = 'relax' THEN
    commands := fencing._relax_commands(relation, token_column);
    IF cardinality(commands) = 0 THEN
      PERFORM fencing._require_protected(relation, target, token_column);
    END IF;
  ELSE
    PERFORM fencing._require_protected(relation, target, token_column);
    IF action = 'unprotect' THEN
      commands := fencing._unprotect_commands(relation, token_column);
    ELSIF action = 'enforce' THEN
      PERFORM fencing._check_enforce(relation, target, mode, token_column);
      commands := fencing._enforce_commands(relation, mode, token_column);
      lock_mode := fencing._lock_of(commands);
    ELSE
      PERFORM fencing._require_column(relation, target, token_column);
      PERFORM fencing._require_all_rows(relation, target);
      lock_mode := 'EXCLUSIVE';
      commands := fencing._switch_commands(relation, token_column, true);
      commands := CASE WHEN cardinality(commands) > 0 THEN ARRAY['SET CONSTRAINTS ALL IMMEDIATE'] ELSE '{}' END || commands
        || format('UPDATE %s SET %I = $1 WHERE %2$I > $1', relation, token_column)
        || fencing._switch_commands(relation, token_column, false);
    END IF;
  END IF;
  IF cardinality(commands) > 0 THEN
    RETURN QUERY SELECT format('LOCK TABLE ONLY %s IN %s MODE', member, lock_mode) FROM fencing._family(relation) AS member;
    RETURN QUERY SELECT command FROM unnest(commands) AS command;
  END IF;
END
$$;

