-- Tables of their own: one table, one regime.

CREATE TABLE shelf (
  sku       text PRIMARY KEY,
  available integer NOT NULL CHECK (available >= 0),
  version   bigint NOT NULL DEFAULT 0
);

CREATE TABLE coupon_use (
  coupon   text NOT NULL,
  customer text NOT NULL,
  PRIMARY KEY (coupon, customer)
);
