-- The tables as they would be without fenced-write.

CREATE TABLE warehouse (
  code text PRIMARY KEY
);

INSERT INTO warehouse (code) VALUES ('berlin'), ('hamburg');

CREATE TABLE product (
  sku         text PRIMARY KEY,
  name        text NOT NULL,
  price_cents bigint NOT NULL CHECK (price_cents >= 0)
);

CREATE TABLE stock (
  warehouse text NOT NULL REFERENCES warehouse,
  sku       text NOT NULL REFERENCES product,
  available integer NOT NULL CHECK (available >= 0),
  PRIMARY KEY (warehouse, sku)
);

CREATE TABLE reservation (
  id         uuid PRIMARY KEY,
  warehouse  text NOT NULL,
  sku        text NOT NULL,
  quantity   integer NOT NULL CHECK (quantity > 0),
  state      text NOT NULL CHECK (state IN ('PENDING', 'CONFIRMED', 'CANCELLED', 'EXPIRED')),
  expires_at timestamptz NOT NULL,
  FOREIGN KEY (warehouse, sku) REFERENCES stock
);

CREATE INDEX ON reservation (expires_at) WHERE state = 'PENDING';

CREATE TABLE transfer (
  id             uuid PRIMARY KEY,
  from_warehouse text NOT NULL,
  to_warehouse   text NOT NULL,
  sku            text NOT NULL,
  quantity       integer NOT NULL CHECK (quantity > 0),
  made_at        timestamptz NOT NULL DEFAULT now(),
  CHECK (from_warehouse <> to_warehouse),
  FOREIGN KEY (from_warehouse, sku) REFERENCES stock,
  FOREIGN KEY (to_warehouse, sku) REFERENCES stock
);

CREATE TABLE idempotency_key (
  key       text PRIMARY KEY,
  content   text NOT NULL,
  result_id uuid NOT NULL,
  used_at   timestamptz NOT NULL DEFAULT now()
);
