---------------------------------------------------------------------------------------------------------------------
-- Rights
---------------------------------------------------------------------------------------------------------------------
CREATE OR REPLACE FUNCTION fencing._require_owner(relation regclass, target text) RETURNS void
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  owner name;
BEGIN
  SELECT pg_get_userbyid(relowner) INTO owner FROM pg_class WHERE oid = relation
  AND NOT pg_has_role(current_user, relowner, 'USAGE');
  IF FOUND THEN
    RAISE EXCEPTION 'role % may not alter %: it belongs to %', current_user, target, owner
      USING ERRCODE = 'WF106', DETAIL = json_build_object('target', target, 'owner', owner),
        HINT = format('Run this as %I, or as a member of that role.', owner);
  END IF;
  PERFORM fencing._require_rights(target);
END
$$;

-- What fencing.grant_access gives to a migrator.
CREATE OR REPLACE FUNCTION fencing._require_rights(target text) RETURNS void
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF has_table_privilege('fencing.registry', 'INSERT') AND has_table_privilege('fencing.registry', 'DELETE')
    AND has_table_privilege('fencing.fence', 'DELETE') AND has_table_privilege('fencing.fence_floor', 'UPDATE')
    AND has_column_privilege('fencing.audit', 'action', 'INSERT') THEN
    RETURN;
  END IF;
  RAISE EXCEPTION 'role % may not administer fencing', current_user
    USING ERRCODE = 'WF106', DETAIL = json_build_object('target', target),
      HINT = format('As the owner of that schema: SELECT fencing.grant_access(%L, ''migrator'')', current_user)
        || CASE WHEN current_user <> session_user THEN format('. Or, since this session has logged in as %s: where Flyway '
          'sets the role in a callback, let it do so in initSql, so that it installs and protects as one role.',
          session_user) ELSE '' END;
END
$$;

CREATE OR REPLACE FUNCTION fencing._require_protected(relation regclass, target text, token_column text) RETURNS void
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF EXISTS (SELECT FROM fencing.registry AS r
    WHERE r.relation = _require_protected.relation AND r.token_column = _require_protected.token_column) THEN
    RETURN;
  END IF;
  RAISE EXCEPTION '% has no fencing token in a column %', target, quote_ident(token_column)
    USING ERRCODE = 'WF107', DETAIL = json_build_object('target', target, 'column', token_column,
      'columns', (SELECT json_agg(r.token_column) FROM fencing.registry AS r WHERE r.relation = _require_protected.relation)),
      HINT = format('First: SELECT fencing.protect(%L, %L). The view fencing.protected_tables shows what there is.',
        target, token_column);
END
$$;

-- A column that is registered and there no more was renamed or dropped by hand: nothing that needs it can be done. Where it
-- was renamed, another column of its name is no help: the triggers watch the renamed one.
CREATE OR REPLACE FUNCTION fencing._require_column(relation regclass, target text, token_column text) RETURNS void
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  now_named CONSTANT text := fencing._renamed_to(relation, token_column);
BEGIN
  IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = relation AND attname = token_column AND NOT attisdropped) THEN
    IF now_named IS NULL THEN
      RETURN;
    END IF;
    RAISE EXCEPTION 'the triggers of % watch column %, which was renamed, and not another one that is called % now',
        target, quote_ident(now_named), quote_ident(token_column)
      USING ERRCODE = 'WF103', DETAIL = json_build_object('target', target, 'column', token_column, 'renamed_to', now_named),
        HINT = format('See which of the two holds the tokens. If it is %I: drop the other one, and ALTER TABLE %s RENAME COLUMN '
          '%1$I TO %3$I. If both do: SELECT fencing.relax(%4$L, %5$L), raise each %3$I to the greater of the two, and enforce '
          'it again.', now_named, relation, token_column, target, token_column);
  END IF;
  RAISE EXCEPTION '% has no column %', target, quote_ident(token_column)
    USING ERRCODE = 'WF103', DETAIL = json_build_object('target', target, 'column', token_column, 'renamed_to', now_named),
      HINT = CASE WHEN now_named IS NULL
        THEN format('SELECT fencing.unprotect(%L, %L) forgets the column, SELECT fencing.protect(%1$L, %2$L) adds a new one.',
          target, token_column)
        ELSE format('It was renamed: ALTER TABLE %s RENAME COLUMN %I TO %I; or SELECT fencing.unprotect(%L, %L), '
          'then protect %4$L with the new name.', relation, now_named, token_column, target, token_column)
      END;
END
$$;

-- How every function begins that changes a protected table: which one is meant, and whether the caller may do so.
CREATE OR REPLACE FUNCTION fencing._administered(target text, token_column text, patience interval) RETURNS regclass
  LANGUAGE plpgsql STABLE
AS $$
DECLARE
  relation CONSTANT pg_catalog.regclass := fencing._resolve(target);
BEGIN
  PERFORM fencing._check_arguments(target, token_column, patience);
  PERFORM fencing._require_owner(relation, target);
  PERFORM fencing._require_protected(relation, target, token_column);
  RETURN relation;
END
$$;

