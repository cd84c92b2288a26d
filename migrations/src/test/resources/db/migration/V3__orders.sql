CREATE TABLE order_line (
    order_id bigint NOT NULL,
    line     integer NOT NULL,
    sku      text NOT NULL REFERENCES inventory,
    PRIMARY KEY (order_id, line)
);
INSERT INTO order_line VALUES (1, 1, 'sku-1'), (1, 2, 'sku-2');
