---------------------------------------------------------------------------------------------------------------------
-- Changing a busy table without making a queue
---------------------------------------------------------------------------------------------------------------------

-- Everybody who comes after a session that waits for a strong lock waits as well. So this waits at most 0.1 s for all
-- the locks of one try, releases everything, pauses, and tries again until the patience is over. Returns the number of
-- tries. The locks are held until the caller's transaction ends.
--
-- An autovacuum worker gives way to others, but only when they have waited for deadlock_timeout: where one is at work,
-- a try waits that long. It does not give way when it prevents wraparound, so this is done twice at most.
CREATE OR REPLACE FUNCTION fencing._lock(relations regclass[], lock_mode text, patience interval) RETURNS integer
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms'
AS $$
DECLARE
  names      CONSTANT text[] := ARRAY(SELECT r::text FROM unnest(relations) WITH ORDINALITY AS u (r, place) ORDER BY place);
  statement_end CONSTANT timestamptz := fencing._statement_end();
  deadline   CONSTANT timestamptz := least(clock_timestamp() + patience, statement_end);
  longest    interval;
  tries      integer := 0;
  long_tries integer := 0;
  started    timestamptz;
  member     regclass;
  place      integer;
BEGIN
  LOOP
    tries := tries + 1;
    longest := interval '100 milliseconds';
    IF tries > 1 AND long_tries < 2 AND fencing._autovacuum_on(relations) THEN
      long_tries := long_tries + 1;
      longest := current_setting('deadlock_timeout')::interval + interval '500 milliseconds';
    END IF;
    BEGIN
      started := clock_timestamp();
      FOR place IN 1 .. cardinality(relations) LOOP
        PERFORM set_config('lock_timeout', fencing._left_of(started + longest), true);
        EXECUTE format('LOCK TABLE ONLY %s IN %s MODE', names[place], lock_mode);
        IF relations[place]::text <> names[place] THEN
          RAISE undefined_table;
        END IF;
        -- only now nothing can be attached any more
        FOR member IN SELECT f FROM fencing._family(relations[place]) AS f WHERE f <> relations[place] LOOP
          PERFORM set_config('lock_timeout', fencing._left_of(started + longest), true);
          EXECUTE format('LOCK TABLE ONLY %s IN %s MODE', member, lock_mode);
        END LOOP;
      END LOOP;
      RETURN tries;
    EXCEPTION
      WHEN undefined_table THEN
        RAISE EXCEPTION 'one of % was renamed, dropped or replaced meanwhile', array_to_string(names, ', ')
          USING ERRCODE = 'WF105', DETAIL = json_build_object('target', array_to_string(names, ', '), 'tries', tries),
            HINT = 'Nothing was changed. Repeat it, so that the name is looked up anew.';
      WHEN lock_not_available OR deadlock_detected THEN
        IF clock_timestamp() >= deadline THEN
          PERFORM fencing._refuse_busy(relations, tries, patience, deadline = statement_end);
        END IF;
    END;
    PERFORM pg_sleep(least(least(0.1 * tries, 1.0) * (0.75 + random() / 2),
      greatest(0.01, extract(epoch FROM deadline - clock_timestamp()))));
  END LOOP;
END
$$;

-- Milliseconds until a time, 1 at least, for lock_timeout.
CREATE OR REPLACE FUNCTION fencing._left_of(until timestamptz) RETURNS text
  LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT greatest(1, 1000 * extract(epoch FROM until - clock_timestamp()))::integer::text
$$;

-- When to give up, so that statement_timeout does not end the statement in the middle of a try; infinity without one.
CREATE OR REPLACE FUNCTION fencing._statement_end() RETURNS timestamptz
  LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE current_setting('statement_timeout') WHEN '0' THEN 'infinity'
    ELSE statement_timestamp() + current_setting('statement_timeout')::interval - interval '400 milliseconds' END
$$;

-- Everybody may see who holds a lock, and that an autovacuum worker is no user.
CREATE OR REPLACE FUNCTION fencing._holders(relations regclass[]) RETURNS TABLE (pid integer, lock_mode text, holder text)
  LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT l.pid, l.mode, CASE
      WHEN l.mode = 'ShareUpdateExclusiveLock' AND a.usesysid IS NULL THEN 'autovacuum'
      WHEN EXISTS (SELECT FROM pg_stat_progress_vacuum AS v WHERE v.pid = l.pid) THEN 'VACUUM'
      ELSE 'session'
    END
  FROM unnest(relations) AS relation, fencing._family(relation) AS member
    JOIN pg_locks AS l ON l.locktype = 'relation' AND l.relation = member::oid
      AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database())
      AND l.granted AND l.pid <> pg_backend_pid()
    JOIN pg_stat_activity AS a ON a.pid = l.pid
$$;

CREATE OR REPLACE FUNCTION fencing._autovacuum_on(relations regclass[]) RETURNS boolean
  LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (SELECT FROM fencing._holders(relations) WHERE holder = 'autovacuum')
$$;

CREATE OR REPLACE FUNCTION fencing._refuse_busy(
  relations regclass[], tries integer, patience interval, by_statement_timeout boolean) RETURNS void
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  holders CONSTANT jsonb := (SELECT jsonb_agg(DISTINCT jsonb_build_object('pid', h.pid, 'holder', h.holder, 'lock', h.lock_mode))
    FROM fencing._holders(relations) AS h);
  vacuum  CONSTANT text := (SELECT string_agg(DISTINCT format('%s (process %s)', h.holder, h.pid), ', ')
    FROM fencing._holders(relations) AS h WHERE h.holder <> 'session');
BEGIN
  RAISE EXCEPTION 'no lock on % after % tries in %', array_to_string(relations, ', '), tries,
      CASE WHEN by_statement_timeout THEN 'the time that statement_timeout leaves' ELSE patience::text END
    USING ERRCODE = 'WF105',
      DETAIL = jsonb_build_object('target', array_to_string(relations, ', '), 'tries', tries, 'holders', holders),
      HINT = CASE
          WHEN vacuum IS NOT NULL THEN format('It is held by %s, which does not give way: a VACUUM by hand, or an autovacuum '
            'that prevents wraparound. See pg_stat_progress_vacuum; let it end, and repeat.', vacuum)
          ELSE 'A long transaction is using the table: find it in pg_stat_activity (xact_start), let it end, and repeat.'
        END
        || CASE WHEN by_statement_timeout THEN ' Or raise statement_timeout.' ELSE ' Or give more patience as the last argument.' END
        || ' Nothing was changed.';
END
$$;

-- Runs commands under locks that are held already.
CREATE OR REPLACE FUNCTION fencing._run(relation regclass, commands text[]) RETURNS void
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  command text;
BEGIN
  FOREACH command IN ARRAY commands LOOP
    EXECUTE command;
  END LOOP;
EXCEPTION
  WHEN lock_not_available THEN
    PERFORM fencing._refuse_busy(ARRAY[relation], 1, interval '100 milliseconds', false);
  WHEN object_in_use THEN
    RAISE EXCEPTION '%', SQLERRM USING ERRCODE = 'WF105', DETAIL = json_build_object('target', relation::text),
      HINT = 'This transaction has statements or deferred triggers of the table still to run: do it in a transaction of '
        'its own, or SET CONSTRAINTS ALL IMMEDIATE first.';
END
$$;

