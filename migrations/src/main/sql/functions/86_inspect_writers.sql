---------------------------------------------------------------------------------------------------------------------
-- Findings about others that write or rewrite the row
---------------------------------------------------------------------------------------------------------------------
CREATE OR REPLACE FUNCTION fencing._inspect_writers(relation regclass, token_column text)
  RETURNS TABLE (severity text, code text, finding text, fix text)
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
  SELECT CASE WHEN why = 'late' THEN 'error' ELSE 'warning' END, 'trigger',
    format('trigger %I of %s (function %s) %s', t.tgname, t.tgrelid::regclass, t.tgfoid::regproc, CASE why
      WHEN 'late' THEN 'fires after those of fencing'
      WHEN 'named' THEN 'names the token column'
      WHEN 'whole row' THEN 'may put another row in the place of the one that is written'
      ELSE 'is not written in PL/pgSQL and cannot be looked into' END),
    CASE WHEN why = 'late' THEN 'Rename it, so that fencing sees what it does'
      ELSE 'Make sure that it does not reset the token' END
  FROM fencing._family(relation) AS member
    JOIN pg_trigger AS t ON t.tgrelid = member JOIN pg_proc AS p ON p.oid = t.tgfoid JOIN pg_language AS l ON l.oid = p.prolang
    CROSS JOIN LATERAL (SELECT CASE
      WHEN t.tgname > (SELECT min(f.trigger_name) FROM fencing._triggers(member, token_column) AS f
        WHERE f.member = t.tgrelid::regclass AND f.operation IN ('update', 'insert')) THEN 'late'
      WHEN p.prosrc ~* ('[[:<:]]' || regexp_replace(token_column, '[^[:alnum:]_]', '.', 'g') || '[[:>:]]') THEN 'named'
      WHEN p.prosrc ~* '[[:<:]](new[[:space:]]*:?=|into[[:space:]]+(strict[[:space:]]+)?new[[:>:]]|return[[:space:]]+old[[:>:]])'
        AND NOT p.prosrc ~* 'if[[:space:]]+new[[:space:]]*=' THEN 'whole row'
      WHEN l.lanname <> 'plpgsql' AND p.pronamespace <> 'pg_catalog'::regnamespace THEN 'unknown'
    END AS why) AS judged
  WHERE why IS NOT NULL AND NOT t.tgisinternal AND t.tgparentid = 0 AND t.tgenabled <> 'D'
    AND p.pronamespace <> 'fencing'::regnamespace
    AND (t.tgtype & 3) = 3 AND (t.tgtype & 20) <> 0; -- BEFORE, FOR EACH ROW, INSERT or UPDATE
  RETURN QUERY
  SELECT 'warning', 'rule', format('rule %I rewrites statements on %s', r.rulename, r.ev_class::regclass),
    'Replace it by a trigger: a rewritten statement may not be what was guarded'
  FROM fencing._family(relation) AS member JOIN pg_rewrite AS r ON r.ev_class = member AND r.ev_type <> '1';
  RETURN QUERY
  SELECT 'info', 'row_security', 'row level security hides rows: a stale write may look like a missing row',
    'Let the policies show what the writer may claim'
  FROM pg_class AS c WHERE c.oid = relation AND c.relrowsecurity;
  RETURN QUERY
  SELECT 'info', 'subscription', 'the table receives logical replication, which the triggers do not see',
    'Let only one side write'
  FROM pg_subscription_rel AS s WHERE s.srrelid = relation LIMIT 1;
END
$$;

