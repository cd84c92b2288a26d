---------------------------------------------------------------------------------------------------------------------
-- Findings about who may write, and by which way
---------------------------------------------------------------------------------------------------------------------
CREATE OR REPLACE FUNCTION fencing._inspect_rights(relation regclass, target text, token_column text)
  RETURNS TABLE (severity text, code text, finding text, fix text)
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  token  CONSTANT smallint := (SELECT a.attnum FROM pg_attribute AS a
    WHERE a.attrelid = relation AND a.attname = token_column AND NOT a.attisdropped);
  rights CONSTANT aclitem[] := (SELECT c.relacl FROM pg_class AS c WHERE c.oid = relation);
  owner  CONSTANT oid := (SELECT c.relowner FROM pg_class AS c WHERE c.oid = relation);
BEGIN
  RETURN QUERY
  SELECT 'error', 'grant_missing', format('role %s may update some columns, but not the token', quote_ident(pg_get_userbyid(g.grantee))),
    format('GRANT SELECT (%1$I), UPDATE (%1$I) ON %2$s TO %3$I', token_column, relation, pg_get_userbyid(g.grantee))
  FROM (SELECT DISTINCT acl.grantee FROM pg_attribute AS a CROSS JOIN aclexplode(a.attacl) AS acl
    WHERE a.attrelid = relation AND NOT a.attisdropped AND acl.privilege_type = 'UPDATE' AND acl.grantee <> 0) AS g
  WHERE NOT has_column_privilege(g.grantee, relation, token, 'UPDATE');
  IF fencing._enforced(relation, token_column) <> 'strict' THEN
    RETURN QUERY
    SELECT 'info', 'grants', format('may write without a token: %s', string_agg(DISTINCT
      CASE acl.grantee WHEN 0 THEN 'everybody' ELSE quote_ident(pg_get_userbyid(acl.grantee)) END, ', ')),
      format('When all writers present tokens: SELECT fencing.enforce(%L, ''strict'', %L)', target, token_column)
    FROM aclexplode(rights) AS acl
    WHERE acl.privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE') AND acl.grantee <> owner
    HAVING count(*) > 0;
  END IF;

  -- views on top
  RETURN QUERY
  SELECT DISTINCT 'info', 'view', format('view %s does not show the token, so writes through it cannot be guarded', v.oid::regclass),
    'Add the column to the view, or write to the table'
  FROM pg_depend AS d JOIN pg_rewrite AS w ON w.oid = d.objid JOIN pg_class AS v ON v.oid = w.ev_class
  WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = relation
    AND v.relkind = 'v' AND (pg_relation_is_updatable(v.oid, false) & 4) <> 0
    AND NOT EXISTS (SELECT FROM pg_depend AS s WHERE s.classid = d.classid AND s.objid = d.objid
      AND s.refobjid = relation AND s.refobjsubid = token);
END
$$;

