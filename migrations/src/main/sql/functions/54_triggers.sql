---------------------------------------------------------------------------------------------------------------------
-- Our triggers in users' tables
---------------------------------------------------------------------------------------------------------------------

-- PostgreSQL fires triggers in the order of their names, so ours come last and see the row as it will be written: "~"
-- is the greatest ASCII character. Those that partitions inherit have another name than a table's own, so that an enforced
-- table can be attached.
CREATE OR REPLACE FUNCTION fencing._trigger_name(operation text, token_column text, for_partitions boolean) RETURNS name
  LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT ('~fencing_' || operation || CASE WHEN for_partitions THEN '_all_' ELSE '_' END
    || CASE WHEN octet_length(token_column) <= 36 THEN token_column ELSE md5(token_column) END)::name
$$;

-- The version of the triggers: raised when their conditions, arguments or set change, so that fencing.inspect can tell
-- which tables need fencing.enforce again.
CREATE OR REPLACE FUNCTION fencing._trigger_version() RETURNS text
  LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT '1'
$$;

-- The triggers of one token column in a table and its partitions and children. They are known by their function and
-- arguments, whatever has become of their names.
CREATE OR REPLACE FUNCTION fencing._triggers(relation regclass, token_column text)
  RETURNS TABLE (member regclass, trigger_name name, operation text, mode text, version text, enabled "char", inherited boolean)
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT member, t.tgname,
    CASE t.tgtype & 60 WHEN 4 THEN 'insert' WHEN 8 THEN 'delete' WHEN 16 THEN 'update' WHEN 32 THEN 'truncate' END,
    a.arguments[2], a.arguments[3], t.tgenabled, t.tgparentid <> 0
  FROM fencing._family(relation) AS member
    JOIN pg_trigger AS t ON t.tgrelid = member
    JOIN pg_proc AS p ON p.oid = t.tgfoid
    CROSS JOIN LATERAL (
      SELECT string_to_array(encode(t.tgargs, 'escape'), chr(92) || '000') AS arguments) AS a
  WHERE p.pronamespace = 'fencing'::regnamespace AND (p.proname = 'guard' OR left(p.proname, 6) = 'guard_')
    AND a.arguments[1] = encode(convert_to(token_column, getdatabaseencoding()), 'escape')
$$;

-- What the triggers of one table, without its partitions and children, amount to: guarded without any, monotonic, strict
-- (truncate_open where only that trigger is missing), else damaged.
CREATE OR REPLACE FUNCTION fencing._member_states(relation regclass, token_column text)
  RETURNS TABLE (member regclass, state text, outdated boolean)
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT m, CASE
      WHEN t.operations IS NULL THEN 'guarded'
      WHEN NOT t.works THEN 'damaged'
      WHEN t.modes = '{monotonic}' AND t.operations = '{update}' THEN 'monotonic'
      WHEN t.modes = '{strict}' AND t.operations = '{delete,insert,truncate,update}' THEN 'strict'
      WHEN t.modes = '{strict}' AND t.operations = '{delete,insert,update}' THEN
        CASE c.relkind WHEN 'f' THEN 'strict' ELSE 'truncate_open' END
      ELSE 'damaged'
    END, coalesce(t.outdated, false)
  FROM fencing._family(relation) AS m JOIN pg_class AS c ON c.oid = m
    LEFT JOIN LATERAL (
      SELECT array_agg(DISTINCT operation ORDER BY operation) AS operations, array_agg(DISTINCT mode) AS modes,
        bool_and(enabled IN ('O', 'A')) AS works, bool_or(version <> fencing._trigger_version()) AS outdated
      FROM fencing._triggers(relation, token_column) AS t WHERE t.member = m) AS t ON true
$$;

-- The name that the token column has now, if somebody has renamed it: a condition of our triggers follows it.
CREATE OR REPLACE FUNCTION fencing._renamed_to(relation regclass, token_column text) RETURNS name
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT a.attname
  FROM fencing._triggers(relation, token_column) AS f
    JOIN pg_trigger AS t ON t.tgrelid = f.member AND t.tgname = f.trigger_name
    JOIN pg_depend AS d ON d.classid = 'pg_trigger'::regclass AND d.objid = t.oid AND d.refclassid = 'pg_class'::regclass
      AND d.refobjid = t.tgrelid AND d.refobjsubid > 0
    JOIN pg_attribute AS a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
  WHERE f.member = relation AND a.attname <> token_column
  LIMIT 1
$$;

-- What all of them amount to. 'guarded' without triggers, else the mode, if it holds everywhere and the column is there,
-- the very one that the triggers watch;
-- 'damaged' otherwise. A partition that is new can be truncated, and no more: its parent's mode holds.
CREATE OR REPLACE FUNCTION fencing._enforced(relation regclass, token_column text) RETURNS text
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE
      WHEN max(s.state) = 'guarded' AND min(s.state) = 'guarded' THEN 'guarded'
      WHEN fencing._renamed_to(_enforced.relation, _enforced.token_column) IS NOT NULL THEN 'damaged'
      WHEN NOT EXISTS (SELECT FROM pg_attribute AS a WHERE a.attrelid = _enforced.relation AND a.attname = _enforced.token_column
        AND NOT a.attisdropped AND a.attnotnull) THEN 'damaged'
      WHEN bool_and(s.state = 'monotonic') THEN 'monotonic'
      WHEN bool_and(s.state = 'strict' OR s.state = 'truncate_open' AND c.relispartition) THEN 'strict'
      ELSE 'damaged'
    END
  FROM fencing._member_states(relation, token_column) AS s JOIN pg_class AS c ON c.oid = s.member
$$;

