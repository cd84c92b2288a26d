---------------------------------------------------------------------------------------------------------------------
-- Findings about what is registered and what our triggers amount to
---------------------------------------------------------------------------------------------------------------------
CREATE OR REPLACE FUNCTION fencing._inspect_registry(relation regclass, target text, token_column text)
  RETURNS TABLE (severity text, code text, finding text, fix text)
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  intended  CONSTANT text := (SELECT r.mode FROM fencing.registry AS r
    WHERE r.relation = _inspect_registry.relation AND r.token_column = _inspect_registry.token_column);
  now_named CONSTANT text := fencing._renamed_to(relation, token_column);
BEGIN
  IF NOT EXISTS (SELECT FROM pg_attribute AS a
    WHERE a.attrelid = relation AND a.attname = token_column AND NOT a.attisdropped) THEN
    RETURN QUERY SELECT 'error', 'column_missing', format('%s has no column %I%s', relation, token_column,
        CASE WHEN now_named IS NULL THEN '' ELSE format(', it is %I now', now_named) END),
      CASE WHEN now_named IS NULL THEN format('SELECT fencing.protect(%L, %L)', target, token_column)
        ELSE format('ALTER TABLE %s RENAME COLUMN %I TO %I', relation, now_named, token_column) END;
  ELSIF now_named IS NOT NULL THEN
    RETURN QUERY SELECT 'error', 'column_renamed', format('the triggers of %s watch column %I, which was renamed; %I is another one',
      relation, now_named, token_column),
      format('If %I holds the tokens: drop %I, then ALTER TABLE %s RENAME COLUMN %1$I TO %2$I', now_named, token_column, relation);
  END IF;

  IF intended IS NULL AND EXISTS (SELECT FROM fencing._triggers(relation, token_column)) THEN
    RETURN QUERY SELECT 'error', 'triggers_left', format('%s is not registered, and has triggers of fencing', relation),
      format('SELECT fencing.relax(%L, %L)', target, token_column);
  ELSIF intended IS NULL THEN
    RETURN QUERY SELECT 'warning', 'not_registered', format('%s is not registered', relation),
      format('SELECT fencing.protect(%L, %L)', target, token_column);
  END IF;
  RETURN QUERY
  SELECT 'error', 'replaced', format('the protected table of this name, in mode %s, is %s now', r.mode, r.relation),
    format('SELECT fencing.protect(%L, %L), then enforce it as before, and unprotect %s', target, token_column, r.relation)
  FROM fencing.registry AS r JOIN pg_class AS c ON c.oid = r.relation
  WHERE r.table_name = relation::text AND r.relation <> _inspect_registry.relation
    AND r.token_column = _inspect_registry.token_column;
  RETURN QUERY
  SELECT 'error', 'replaced', format('it was protected as %s, which is another table now', r.table_name),
    format('Protect %s, then SELECT fencing.unprotect(%L, %L)', r.table_name, target, token_column)
  FROM fencing.registry AS r
  WHERE r.relation = _inspect_registry.relation AND r.token_column = _inspect_registry.token_column
    AND fencing._named(r.table_name) <> r.relation;
  IF intended = 'strict' THEN
    RETURN QUERY
    SELECT 'error', 'two_columns', format('strict with another token column, %I: a transaction announces one token only',
      o.other_column), format('SELECT fencing.enforce(%L, ''monotonic'', %L)', target, token_column)
    FROM fencing._other_columns(relation, token_column) AS o;
  END IF;
END
$$;

CREATE OR REPLACE FUNCTION fencing._inspect_triggers(relation regclass, target text, token_column text)
  RETURNS TABLE (severity text, code text, finding text, fix text)
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  WITH intended AS (
    SELECT r.mode, CASE r.mode WHEN 'guarded' THEN format('SELECT fencing.relax(%L, %L)', target, token_column)
      ELSE format('SELECT fencing.enforce(%L, %L, %L)', target, r.mode, token_column) END AS fix
    FROM fencing.registry AS r
    WHERE r.relation = _inspect_triggers.relation AND r.token_column = _inspect_triggers.token_column
  )
  SELECT 'error', CASE s.state WHEN 'truncate_open' THEN 'truncate_open' ELSE 'enforcement_damaged' END,
    CASE s.state WHEN 'truncate_open' THEN format('TRUNCATE of %s is not refused', s.member)
      ELSE format('mode %s was asked for, the triggers of %s amount to %s', i.mode, s.member, s.state) END,
    i.fix
  FROM intended AS i, fencing._member_states(relation, token_column) AS s
  WHERE s.state <> i.mode
  UNION ALL
  SELECT 'warning', 'triggers_outdated', format('the triggers of %s are of an older version', s.member), i.fix
  FROM intended AS i, fencing._member_states(relation, token_column) AS s
  WHERE s.state = i.mode AND s.outdated
  UNION ALL
  SELECT 'warning', 'cascade', format('foreign key %I from here to %s writes here by cascade, which needs an announced token',
    c.conname, c.confrelid::regclass), 'Announce the token before writing the parent, or enter a fence row'
  FROM intended AS i, pg_constraint AS c
  WHERE i.mode = 'strict' AND c.conrelid = relation AND c.contype = 'f'
    AND (c.confdeltype IN ('c', 'n', 'd') OR c.confupdtype IN ('c', 'n', 'd'))
$$;

