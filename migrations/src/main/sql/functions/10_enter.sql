---------------------------------------------------------------------------------------------------------------------
-- Fence rows: the start of a transaction in which everything is fenced (see the contract above)
---------------------------------------------------------------------------------------------------------------------
CREATE OR REPLACE FUNCTION fencing.enter(
  resource text, token bigint, OUT entered boolean, OUT stored_token bigint, OUT transaction_id text)
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  IF token IS NULL OR token <= 0 OR $1 IS NULL OR octet_length($1) NOT BETWEEN 1 AND 1024 THEN
    RAISE EXCEPTION 'no fence row for resource % and token %', $1, token
      USING ERRCODE = 'WF108', DETAIL = json_build_object('target', $1, 'presented', token),
        HINT = 'A resource has 1 to 1024 bytes, a token is a positive number: take both from the lease.';
  END IF;

  LOOP
    -- What answers «no» is read without a lock: the row, or for a new resource the floor.
    SELECT f.last_token INTO stored_token FROM fencing.fence AS f WHERE f.resource = $1;
    IF NOT FOUND THEN
      stored_token := fencing._floor(false);
      entered := token > stored_token;
    ELSE
      entered := token >= stored_token;
    END IF;
    IF NOT entered THEN
      RETURN;
    END IF;

    -- What was read may be over by the time the row is locked. Who finds that out undoes its attempt, so that the lock is
    -- not held against a newer holder until the transaction ends, and reads again.
    BEGIN
      UPDATE fencing.fence AS f SET last_token = $2 WHERE f.resource = $1 AND f.last_token <= $2;
      IF NOT FOUND THEN
        INSERT INTO fencing.fence AS f (resource, last_token) VALUES ($1, $2) ON CONFLICT DO NOTHING;
        -- A statement of its own, after the insert: the row that a cleanup has deleted is gone only when its floor can be
        -- seen. An older snapshot of the whole transaction has to lock the floor, which fails if it has changed since.
        IF NOT FOUND
          OR token <= fencing._floor(current_setting('transaction_isolation') IN ('repeatable read', 'serializable'))
        THEN
          RAISE SQLSTATE 'P0FEN';
        END IF;
      END IF;
      stored_token := token;
      transaction_id := pg_current_xact_id()::text;
      PERFORM fencing._announce(token);
      RETURN;
    EXCEPTION WHEN SQLSTATE 'P0FEN' THEN
      NULL;
    END;
  END LOOP;
END
$$;

-- The floor under new fence rows. That it is missing must never be taken for no floor.
CREATE OR REPLACE FUNCTION fencing._floor(locked boolean) RETURNS bigint
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  floor bigint;
BEGIN
  IF locked THEN
    SELECT last_token INTO floor FROM fencing.fence_floor FOR SHARE;
  ELSE
    SELECT last_token INTO floor FROM fencing.fence_floor;
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the row of fencing.fence_floor is missing'
      USING ERRCODE = 'WF112', DETAIL = json_build_object('target', 'fencing.fence_floor'),
        HINT = 'Something has emptied the table: keep the schema fencing out of tools that empty all tables. The plain SQL '
          'file or FencingMigrations.repair() set the floor from the audit, SELECT fencing.rebase_floor(...) sets another.';
  END IF;
  RETURN floor;
END
$$;

-- One transaction vouches with one token, the greatest that it has entered with.
CREATE OR REPLACE FUNCTION fencing._announce(token bigint) RETURNS void
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  before CONSTANT text := current_setting('fencing.token', true);
BEGIN
  IF ltrim(before, '0123456789') <> '' OR octet_length(before) NOT BETWEEN 1 AND 19 OR before IS NULL
    OR before::numeric < token THEN
    PERFORM set_config('fencing.token', token::text, true);
  END IF;
END
$$;

