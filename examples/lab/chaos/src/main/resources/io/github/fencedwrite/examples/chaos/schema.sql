-- What the workers write to, and a trigger that notes each write, whoever makes it. All tables have the same columns, so that
-- one history and one checker do for all of them. A row that is written anew gets the next version.

CREATE TABLE audit (
  seq         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  relation    text NOT NULL,
  row_id      text NOT NULL,
  xact        text NOT NULL,
  operation   text NOT NULL,
  token       bigint NOT NULL,
  old_version bigint,
  old_value   bigint,
  new_version bigint,
  new_value   bigint
);

CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit (relation, row_id, xact, operation, token, old_version, old_value, new_version, new_value)
  VALUES (TG_TABLE_NAME, coalesce(NEW.id, OLD.id), pg_current_xact_id()::text,
          coalesce(current_setting('chaos.operation', true), ''),
          -- a fence row or an announcing statement tells its token, any other guarded statement stamps the row
          coalesce(nullif(current_setting('fencing.token', true), '')::bigint, NEW.last_token, 0),
          OLD.version, OLD.value, NEW.version, NEW.value);
  RETURN NULL;
END
$$;

DO $$
DECLARE
  relation text;
BEGIN
  FOREACH relation IN ARRAY ARRAY['counter', 'stock', 'account', 'item', 'reservation', 'seat', 'booking'] LOOP
    EXECUTE format(
      'CREATE TABLE %I (id text PRIMARY KEY, value bigint NOT NULL, version bigint NOT NULL DEFAULT 1)', relation);
    PERFORM fencing.protect('public.' || relation);
    EXECUTE format(
      'CREATE TRIGGER note_write AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION note_write()',
      relation);
  END LOOP;
END
$$;
