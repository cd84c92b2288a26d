---------------------------------------------------------------------------------------------------------------------
-- cleanup: forget resources that nobody has locked for long
---------------------------------------------------------------------------------------------------------------------

-- Deletes up to at_most fence rows with tokens older than the given age, and keeps the greatest of their tokens as the
-- floor under new rows. Returns how many; call it again until that is 0. Only for tokens that count microseconds since
-- 1970, as fenced-write's own do: for others no age can be told, and a counter that restarts lower would be locked out.
-- The age must exceed the longest lease and the retention of the counters.
--
-- The floor rises in the same transaction as the rows go, as its last step: so new resources never wait for a cleanup, and
-- whoever finds a row gone sees the floor (see fencing.enter). Only a transaction of a stricter isolation level locks the
-- floor; where one keeps it, everything is taken back and tried again.
CREATE OR REPLACE FUNCTION fencing.cleanup(older_than interval DEFAULT '30 days', at_most integer DEFAULT 10000)
  RETURNS bigint
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms'
AS $$
DECLARE
  earliest CONSTANT bigint := 1577836800000000; -- 2020
  latest   CONSTANT bigint := extract(epoch FROM now() + interval '1 day') * 1000000;
  deadline CONSTANT timestamptz := clock_timestamp() + interval '5 seconds';
  foreign_token record;
  cutoff   bigint;
  deleted  bigint;
  highest  bigint;
BEGIN
  IF older_than IS NULL OR older_than < interval '1 hour' OR at_most IS NULL OR at_most < 1 THEN
    RAISE EXCEPTION 'no cleanup of what is older than % (at most % rows)', older_than, at_most
      USING ERRCODE = 'WF108', DETAIL = json_build_object('target', 'fencing.fence'),
        HINT = 'The age must be an hour or more, and above the longest lease and the retention of the counters.';
  END IF;
  PERFORM fencing._require_rights('fencing.fence');
  PERFORM fencing._floor(false);
  SELECT resource, last_token INTO foreign_token FROM fencing.fence
  WHERE last_token NOT BETWEEN earliest AND latest LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'the token % of % does not come from a clock', foreign_token.last_token, foreign_token.resource
      USING ERRCODE = 'WF110', DETAIL = json_build_object('target', 'fencing.fence',
        'resource', foreign_token.resource, 'stored', foreign_token.last_token),
        HINT = 'Without a clock in the tokens nobody can tell which are old: leave the fence table as it is. '
          || 'If only this one is wrong: fencing.rebase_resource.';
  END IF;
  cutoff := extract(epoch FROM now() - older_than) * 1000000;

  LOOP
    BEGIN
      -- a fence row in use is not old, whatever its token: skip it rather than wait
      WITH old AS (
        SELECT resource FROM fencing.fence WHERE last_token <= cutoff LIMIT at_most FOR UPDATE SKIP LOCKED
      ), gone AS (
        DELETE FROM fencing.fence AS f USING old WHERE f.resource = old.resource RETURNING f.last_token
      )
      SELECT count(*), max(last_token) INTO deleted, highest FROM gone;
      IF deleted > 0 THEN
        INSERT INTO fencing.audit (action, target, detail) VALUES ('cleanup', 'fencing.fence',
          jsonb_build_object('older_than', older_than, 'rows', deleted, 'greatest', highest));
        UPDATE fencing.fence_floor SET last_token = greatest(last_token, highest);
      END IF;
      RETURN deleted;
    EXCEPTION WHEN lock_not_available THEN
      IF clock_timestamp() >= deadline THEN
        RAISE EXCEPTION 'the floor of the fence table is in use'
          USING ERRCODE = 'WF105', DETAIL = json_build_object('target', 'fencing.fence_floor'),
            HINT = 'A transaction under REPEATABLE READ or SERIALIZABLE has entered a new resource and is still running, or '
              'another cleanup is. Let it end, and repeat. Nothing was deleted.';
      END IF;
    END;
    PERFORM pg_sleep(0.2);
  END LOOP;
END
$$;

