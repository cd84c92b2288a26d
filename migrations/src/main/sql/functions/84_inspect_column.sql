---------------------------------------------------------------------------------------------------------------------
-- Findings about the column itself
---------------------------------------------------------------------------------------------------------------------
CREATE OR REPLACE FUNCTION fencing._inspect_column(relation regclass, target text, token_column text)
  RETURNS TABLE (severity text, code text, finding text, fix text)
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  col   record;
  holes boolean;
BEGIN
  SELECT a.*, pg_get_expr(d.adbin, d.adrelid) AS default_value INTO col
  FROM pg_attribute AS a LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = relation AND a.attname = token_column AND NOT a.attisdropped;
  IF col.atttypid <> 'bigint'::regtype THEN
    RETURN QUERY SELECT 'error', 'column_type', format('column %I is of type %s', token_column, format_type(col.atttypid, NULL)),
      'Tokens need bigint: protect the table with another column';
  END IF;
  IF NOT col.attnotnull THEN
    RETURN QUERY SELECT 'error', 'column_nullable', format('column %I allows NULLs', token_column),
      format('SELECT fencing.protect(%L, %L)', target, token_column);
    IF has_column_privilege(relation, col.attnum, 'SELECT') THEN
      EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %I IS NULL)', relation, token_column) INTO holes;
      IF holes THEN
        RETURN QUERY SELECT 'error', 'column_nulls', format('column %I contains NULLs, which no guard ever passes', token_column),
          CASE WHEN EXISTS (SELECT FROM fencing._triggers(relation, token_column))
            THEN format('SELECT fencing.relax(%L, %L), then set it to 0, and enforce it again', target, token_column)
            ELSE format('UPDATE %s SET %I = 0 WHERE %2$I IS NULL', relation, token_column) END;
      END IF;
    END IF;
  END IF;
  IF col.default_value IS NULL OR col.default_value NOT IN ('0', '''0''::bigint', '(0)::bigint') THEN
    RETURN QUERY SELECT 'warning', 'column_default', format('the default of column %I is %s', token_column, coalesce(col.default_value, 'missing')),
      format('SELECT fencing.protect(%L, %L)', target, token_column);
  END IF;

  RETURN QUERY
  SELECT 'warning', 'index', format('index %s contains the token column: no update can be HOT', i.indexrelid::regclass),
    format('DROP INDEX CONCURRENTLY %s', i.indexrelid::regclass)
  FROM pg_index AS i
  WHERE i.indrelid = relation AND (col.attnum = ANY (i.indkey)
    OR EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_class'::regclass AND d.objid = i.indexrelid
      AND d.refclassid = 'pg_class'::regclass AND d.refobjid = relation AND d.refobjsubid = col.attnum));

END
$$;

