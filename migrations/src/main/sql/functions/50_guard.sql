---------------------------------------------------------------------------------------------------------------------
-- guard: what the triggers in users' tables run
---------------------------------------------------------------------------------------------------------------------

-- Runs only when a trigger's WHEN says that something is wrong, or that a row has to be stamped with the announced
-- token. Its arguments are the name of the token column, the mode, and the version of the trigger.
--
-- It reads the token by the column's name, never by way of the whole row: a row may be large, or may hold a value that
-- cannot be converted. So it is written for one name, and 52_other_columns.sql makes the same function for others, by
-- putting their names in place of last_token.
--
-- Whoever writes runs it, with his own rights and search_path: it needs no right on the schema and no other function of it,
-- and names the schema of each function, operator and type. What is frequent comes first and needs as little as can be.
CREATE OR REPLACE FUNCTION fencing.guard() RETURNS trigger
  LANGUAGE plpgsql STABLE
AS $guard$
DECLARE
  setting   CONSTANT pg_catalog.text := pg_catalog.current_setting('fencing.token', true);
  announced CONSTANT pg_catalog.int8 := CASE
    WHEN pg_catalog.ltrim(setting, '0123456789') OPERATOR(pg_catalog.<>) '' THEN NULL
    WHEN pg_catalog.octet_length(setting) OPERATOR(pg_catalog.<) 19 THEN ('0' OPERATOR(pg_catalog.||) setting)::pg_catalog.int8
    WHEN pg_catalog.octet_length(setting) OPERATOR(pg_catalog.=) 19
      AND setting::pg_catalog.numeric OPERATOR(pg_catalog.<=) 9223372036854775807::pg_catalog.numeric
      THEN setting::pg_catalog.int8
  END;
BEGIN
  IF announced OPERATOR(pg_catalog.>) 0 THEN
    -- an UPDATE that leaves the token alone; where a row is missing, its fields read as NULL
    IF NEW.last_token OPERATOR(pg_catalog.=) OLD.last_token AND OLD.last_token OPERATOR(pg_catalog.<=) announced THEN
      NEW.last_token := announced;
      RETURN NEW;
    ELSIF (NEW.last_token OPERATOR(pg_catalog.=) 0 OR NEW.last_token OPERATOR(pg_catalog.=) announced)
      AND TG_OP OPERATOR(pg_catalog.=) 'INSERT'
    THEN
      NEW.last_token := announced;
      RETURN NEW;
    ELSIF OLD.last_token OPERATOR(pg_catalog.<=) announced AND TG_OP OPERATOR(pg_catalog.=) 'DELETE' THEN
      RETURN OLD;
    ELSIF TG_OP OPERATOR(pg_catalog.=) 'TRUNCATE' THEN
      RETURN NULL;
    END IF;
  END IF;

  DECLARE
    stored    pg_catalog.int8;
    presented pg_catalog.int8;
    written   pg_catalog.int8;
    gone      pg_catalog.bool := false;
    refusal   pg_catalog.text;
    subject   pg_catalog.text;
    row_key   pg_catalog.jsonb;
    key_query pg_catalog.text;
  BEGIN
    -- From here on nothing but an error comes out, which takes this setting back.
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

    BEGIN
      stored := OLD.last_token;
      written := NEW.last_token;
    EXCEPTION WHEN undefined_column THEN
      gone := true; -- or renamed; what comes first needs the column and fails with this error as it is
    END;
    presented := written;
    refusal := CASE
      WHEN presented < stored THEN 'WF001'
      WHEN gone THEN 'WF005'
      WHEN TG_OP = 'UPDATE' AND (presented IS NULL OR stored IS NULL) OR TG_OP = 'DELETE' AND stored IS NULL THEN 'WF005'
      WHEN setting IS NULL OR setting = '' THEN 'WF002'
      WHEN announced IS NULL OR announced = 0 THEN 'WF004'
      WHEN announced < stored THEN 'WF001'
      ELSE 'WF003'
    END;
    -- an UPDATE that leaves the token alone, and a DELETE, present what was announced
    IF refusal <> 'WF003' AND (presented IS NULL OR presented = stored) THEN
      presented := announced;
    END IF;

    subject := format('%I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME);
    IF TG_LEVEL = 'ROW' THEN
      -- only the columns of the primary key are read; an error for its sake must not hide the refusal
      BEGIN
        SELECT 'SELECT jsonb_build_object(' || string_agg(format('%1$L, ($1).%1$I', a.attname), ', ') || ')'
        INTO key_query
        FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
        WHERE i.indrelid = TG_RELID AND i.indisprimary;
        IF key_query IS NULL THEN
          NULL; -- without a key
        ELSIF TG_OP = 'INSERT' THEN
          EXECUTE key_query INTO row_key USING NEW;
        ELSE
          EXECUTE key_query INTO row_key USING OLD;
        END IF;
      EXCEPTION WHEN OTHERS THEN
        row_key := NULL;
      END;
    END IF;
    RAISE EXCEPTION USING
      ERRCODE = refusal,
      MESSAGE = format('%s of %s refused: ', TG_OP, concat_ws(' ', subject, row_key)) || CASE refusal
        WHEN 'WF001' THEN format('token %s is older than %s', presented, stored)
        WHEN 'WF002' THEN 'no fencing token was announced'
        WHEN 'WF003' THEN format('its token is %s, that of the transaction %s', coalesce(written::text, 'NULL'), announced)
        WHEN 'WF004' THEN format('fencing.token is %L', setting)
        ELSE format(CASE WHEN gone THEN 'the token column %I is gone or renamed' ELSE 'the token column %I holds NULL' END,
          TG_ARGV[0])
      END,
      DETAIL = jsonb_build_object('table', subject, 'column', TG_ARGV[0], 'operation', TG_OP, 'mode', TG_ARGV[1],
        'presented', presented, 'stored', stored, 'key', row_key),
      HINT = CASE refusal
        WHEN 'WF001' THEN 'Another holder of the lock has written since. Acquire the lock again and repeat the work.'
        WHEN 'WF002' THEN 'Let fenced-write announce the token, enter a fence row, or start with '
          'SELECT set_config(''fencing.token'', ''<token>'', true) in the same transaction.'
        WHEN 'WF003' THEN 'Write the token of this transaction, or leave the column out.'
        WHEN 'WF004' THEN 'Set it to a positive number of up to 19 digits, from the lease.'
        ELSE 'Nobody can tell whether this write is stale. As the owner of the table, see fencing.inspect: rename the '
          'column back; or fencing.relax, set it to 0 where it is NULL, fencing.protect, fencing.enforce.'
      END,
      SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, COLUMN = TG_ARGV[0];
  END;
END
$guard$;
