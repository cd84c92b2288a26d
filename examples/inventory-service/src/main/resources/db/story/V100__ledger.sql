-- The story's own bookkeeping, so that its result is counted and not claimed. A service needs none of this.

-- What each holder meant to sell, noted before it writes, and what it was told afterwards.
CREATE TABLE sale_attempt (
  sku      text NOT NULL,
  holder   text NOT NULL,
  quantity integer NOT NULL,
  outcome  text NOT NULL DEFAULT 'PENDING',
  PRIMARY KEY (sku, holder)
);

-- What really happened to the rows, whoever did it. Holders are told apart by their application_name.
CREATE TABLE stock_change (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sku       text NOT NULL,
  holder    text NOT NULL,
  old_stock integer NOT NULL,
  new_stock integer NOT NULL
);

CREATE FUNCTION note_stock_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stock_change (sku, holder, old_stock, new_stock)
  VALUES (NEW.sku, current_setting('application_name'), OLD.stock, NEW.stock);
  RETURN NULL;
END
$$;

CREATE TRIGGER note_stock_change
  AFTER UPDATE ON inventory
  FOR EACH ROW WHEN (NEW.stock IS DISTINCT FROM OLD.stock)
  EXECUTE FUNCTION note_stock_change();
