CREATE TABLE inventory (
  sku   text PRIMARY KEY,
  stock integer NOT NULL CHECK (stock >= 0)
);
