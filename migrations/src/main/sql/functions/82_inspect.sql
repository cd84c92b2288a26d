-- Findings about one token column: 'error' (it does not work), 'warning' (a way around it, or a cost), 'info'.
CREATE OR REPLACE FUNCTION fencing.inspect(target text, token_column text DEFAULT 'last_token')
  RETURNS TABLE (severity text, code text, finding text, fix text)
  LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY SELECT * FROM fencing._inspect(fencing._resolve(target), target, token_column);
END
$$;

CREATE OR REPLACE FUNCTION fencing._inspect(relation regclass, target text, token_column text)
  RETURNS TABLE (severity text, code text, finding text, fix text)
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM fencing._check_arguments(target, token_column, interval '0');
  RETURN QUERY
  SELECT * FROM fencing._inspect_registry(relation, target, token_column)
  UNION ALL SELECT * FROM fencing._inspect_triggers(relation, target, token_column);
  IF NOT EXISTS (SELECT FROM pg_attribute AS a
    WHERE a.attrelid = relation AND a.attname = token_column AND NOT a.attisdropped) THEN
    RETURN;
  END IF;
  RETURN QUERY
  SELECT * FROM fencing._inspect_column(relation, target, token_column)
  UNION ALL SELECT * FROM fencing._inspect_writers(relation, token_column)
  UNION ALL SELECT * FROM fencing._inspect_rights(relation, target, token_column);
END
$$;

