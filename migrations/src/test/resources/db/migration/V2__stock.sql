INSERT INTO inventory (sku, stock) SELECT 'sku-' || n, n FROM generate_series(1, 1000) AS n;
