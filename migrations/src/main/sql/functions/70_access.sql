---------------------------------------------------------------------------------------------------------------------
-- Rights
---------------------------------------------------------------------------------------------------------------------

-- Lets a role use fence rows ('writer'), or protect its own tables too ('migrator').
CREATE OR REPLACE FUNCTION fencing.grant_access(role_name text, purpose text DEFAULT 'writer') RETURNS text
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF purpose IS NULL OR purpose NOT IN ('writer', 'migrator') OR to_regrole(quote_ident(role_name)) IS NULL THEN
    RAISE EXCEPTION 'no access for role % as %', role_name, purpose
      USING ERRCODE = 'WF108', DETAIL = json_build_object('target', role_name),
        HINT = 'Give the name of an existing role, and ''writer'' or ''migrator''.';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_class WHERE oid = 'fencing.fence'::regclass AND pg_has_role(current_user, relowner, 'USAGE')) THEN
    RAISE EXCEPTION 'role % may not grant access to fencing', current_user
      USING ERRCODE = 'WF106', DETAIL = json_build_object('target', role_name),
        HINT = 'Run this as the role that has installed the schema fencing.';
  END IF;
  -- A writer enters resources and raises their tokens. It can neither lower a token (see the trigger below) nor change
  -- the floor: the right to update a column that has one value only is what locking the row takes.
  EXECUTE format('GRANT USAGE ON SCHEMA fencing TO %I', role_name);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE (last_token) ON fencing.fence TO %I', role_name);
  EXECUTE format('GRANT SELECT, UPDATE (only_row) ON fencing.fence_floor TO %I', role_name);
  IF purpose = 'migrator' THEN
    EXECUTE format('GRANT DELETE ON fencing.fence TO %I', role_name);
    EXECUTE format('GRANT INSERT, UPDATE ON fencing.fence_floor TO %I', role_name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON fencing.registry TO %I', role_name);
    -- who and when is not the migrator's to say
    EXECUTE format('GRANT SELECT, INSERT (action, target, detail) ON fencing.audit TO %I', role_name);
    EXECUTE format('GRANT EXECUTE ON FUNCTION fencing._guard_of(text) TO %I', role_name);
  END IF;
  RETURN format('%I may use fencing as %s', role_name, purpose);
END
$$;

-- Tokens of fence rows grow, whoever writes them; fencing.rebase_resource and fencing.cleanup need the right to delete.
CREATE OR REPLACE TRIGGER "~fencing_update_last_token" BEFORE UPDATE ON fencing.fence
  FOR EACH ROW WHEN ((NEW.last_token >= OLD.last_token) IS NOT TRUE)
  EXECUTE FUNCTION fencing.guard('last_token', 'monotonic', '1');

