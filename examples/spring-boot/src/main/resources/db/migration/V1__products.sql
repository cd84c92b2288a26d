CREATE TABLE product (
  sku   text PRIMARY KEY,
  price numeric(12, 2) NOT NULL,
  stock integer NOT NULL CHECK (stock >= 0)
);

CREATE TABLE price_change (
  sku        text NOT NULL REFERENCES product,
  price      numeric(12, 2) NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE reservation (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sku      text NOT NULL REFERENCES product,
  quantity integer NOT NULL CHECK (quantity > 0)
);
