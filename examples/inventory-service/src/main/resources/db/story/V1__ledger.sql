-- The stories' own bookkeeping, so that their result is counted and not claimed. A service needs none of this.

-- What each worker meant to sell, noted before it writes, and what it was told afterwards.
CREATE TABLE sale_attempt (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  warehouse text NOT NULL,
  sku       text NOT NULL,
  worker    text NOT NULL,
  quantity  integer NOT NULL,
  outcome   text NOT NULL DEFAULT 'PENDING'
);

CREATE INDEX ON sale_attempt (warehouse, sku, worker, id);

-- What really happened to the rows, and which attempt did it.
CREATE TABLE stock_change (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  warehouse text NOT NULL,
  sku       text NOT NULL,
  attempt   bigint REFERENCES sale_attempt,
  old_stock integer NOT NULL,
  new_stock integer NOT NULL
);

CREATE INDEX ON stock_change (warehouse, sku);

-- A worker makes one attempt after the other.
CREATE FUNCTION last_attempt(warehouse text, sku text, worker text) RETURNS bigint STABLE LANGUAGE sql AS $$
  SELECT max(a.id) FROM sale_attempt a
   WHERE a.warehouse = last_attempt.warehouse AND a.sku = last_attempt.sku AND a.worker = last_attempt.worker
$$;

-- Workers are told apart by their application_name.
CREATE FUNCTION note_stock_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stock_change (warehouse, sku, attempt, old_stock, new_stock)
  VALUES (NEW.warehouse, NEW.sku,
          last_attempt(NEW.warehouse, NEW.sku, current_setting('application_name')), OLD.available, NEW.available);
  RETURN NULL;
END
$$;

CREATE TRIGGER note_stock_change
  AFTER UPDATE ON stock
  FOR EACH ROW WHEN (NEW.available IS DISTINCT FROM OLD.available)
  EXECUTE FUNCTION note_stock_change();
