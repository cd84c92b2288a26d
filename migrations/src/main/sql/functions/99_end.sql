---------------------------------------------------------------------------------------------------------------------
-- Who may call them: everybody acts with his own rights, so everybody may, whatever default privileges say
---------------------------------------------------------------------------------------------------------------------
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA fencing TO PUBLIC;
REVOKE EXECUTE ON FUNCTION fencing._guard_of(text) FROM PUBLIC;

-- Flyway makes the history before it runs this file, the other ways make it after and grant it themselves.
DO $$
BEGIN
  IF to_regclass('fencing.flyway_schema_history') IS NOT NULL THEN
    GRANT SELECT ON fencing.flyway_schema_history TO PUBLIC; -- fencing.verify reads it
  END IF;
END
$$;

SELECT pg_catalog.set_config('search_path', pg_catalog.current_setting('fencing.outer_search_path'), true);
