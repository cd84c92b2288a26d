---------------------------------------------------------------------------------------------------------------------
-- What is there
---------------------------------------------------------------------------------------------------------------------

-- mode is what was asked for, enforced what the triggers amount to now, in all partitions and children: 'damaged' where
-- that is no mode, or where the column is gone; 'replaced' where another table has taken the name of the protected one.
CREATE OR REPLACE VIEW fencing.protected_tables AS
SELECT n.nspname AS schema_name, c.relname AS table_name, r.token_column, r.mode,
  CASE
    WHEN coalesce(fencing._named(r.table_name) <> c.oid, false) THEN 'replaced'
    WHEN NOT EXISTS (SELECT FROM pg_attribute AS a
      WHERE a.attrelid = c.oid AND a.attname = r.token_column AND NOT a.attisdropped) THEN 'damaged'
    ELSE fencing._enforced(r.relation, r.token_column)
  END AS enforced,
  r.column_added, r.protected_at, r.protected_by
FROM fencing.registry AS r
  JOIN pg_class AS c ON c.oid = r.relation::oid
  JOIN pg_namespace AS n ON n.oid = c.relnamespace;
GRANT SELECT ON fencing.protected_tables TO PUBLIC;

