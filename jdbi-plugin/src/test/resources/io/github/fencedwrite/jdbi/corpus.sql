-- Statements that are understood, one after the other, each behind a line of its own with four dashes. They are written in
-- Jdbi's dialect; the parameters are :p_sku = '4711', :p_n = 5, :p_place = 'A'.
----
UPDATE inventory SET stock = 1 WHERE sku = '4711'
----
update inventory set stock=1 where sku='4711'
----
UPDATE inventory SET stock = :p_n WHERE sku = :p_sku
----
UPDATE inventory SET stock = stock - :p_n WHERE sku = :p_sku OR place = :p_place
----
UPDATE inventory SET stock = 1
----
UPDATE inventory SET stock = 1;
----
UPDATE inventory SET stock = 1 WHERE sku = '4711' ; -- done
----
UPDATE public.inventory SET stock = 1 WHERE inventory.sku = '4711'
----
UPDATE "public"."inventory" SET "stock" = 1 WHERE "inventory"."sku" = '4711'
----
UPDATE inventory AS i SET stock = i.stock + 1 WHERE i.sku = '4711'
----
UPDATE inventory i SET stock = i.stock + 1 WHERE i.sku = '4711' OR i.sku = '4712'
----
UPDATE ONLY inventory SET stock = 2 WHERE sku = '4712'
----
UPDATE ONLY (inventory) SET stock = 2 WHERE sku = '4712'
----
UPDATE ONLY (public.inventory) AS x SET stock = 2 WHERE x.sku = '4712'
----
UPDATE inventory * SET stock = 2 WHERE sku = '4712'
----
UPDATE inventory * AS x SET stock = 2 WHERE x.sku = '4712'
----
UPDATE inventory "The Alias" SET stock = 3 WHERE "The Alias".sku = '4713'
----
UPDATE inventory SET (stock, place) = (7, 'Z') WHERE sku = '4711'
----
UPDATE inventory SET (stock, place) = ROW (7, 'Z') WHERE sku = '4711'
----
UPDATE inventory SET (stock, place) = (SELECT o.delta, o.place FROM other o WHERE o.sku = inventory.sku) WHERE sku IN ('4711', '4712')
----
UPDATE inventory SET stock = 7, place = DEFAULT, note = NULL WHERE sku = '4711'
----
UPDATE inventory SET stock = (SELECT max(delta) FROM other WHERE other.sku <> inventory.sku) WHERE stock > 15
----
UPDATE inventory SET stock = stock + o.delta FROM other o WHERE o.sku = inventory.sku
----
UPDATE inventory i SET stock = i.stock + o.delta FROM other AS o WHERE o.sku = i.sku AND o.place = i.place
----
UPDATE inventory i SET stock = i.stock + o.delta FROM other o JOIN app.orders a ON a.sku = o.sku WHERE o.sku = i.sku AND a.id = 1
----
UPDATE inventory i SET stock = i.stock + o.delta FROM (SELECT sku, delta FROM other WHERE delta < 2) AS o WHERE o.sku = i.sku
----
UPDATE inventory i SET stock = v.n FROM (VALUES ('4711', 5), ('4713', 6)) AS v (sku, n) WHERE v.sku = i.sku
----
UPDATE inventory i SET stock = u.n FROM unnest(ARRAY['4711'], ARRAY[77]) AS u (sku, n) WHERE u.sku = i.sku
----
UPDATE inventory i SET stock = l.d FROM other o, LATERAL (SELECT o.delta * 2 AS d) l WHERE o.sku = i.sku
----
UPDATE inventory SET stock = 1 WHERE sku = '4711' RETURNING *
----
UPDATE inventory SET stock = 1 WHERE sku = '4711' RETURNING sku, stock AS "where", last_token
----
UPDATE inventory SET stock = 1 RETURNING stock + 1 AS returning_value
----
UPDATE inventory SET stock = 1 WHERE sku = 'none' RETURNING sku
----
UPDATE inventory SET stock = 1 WHERE (sku = '4711')
----
UPDATE inventory SET stock = 1 WHERE((sku = '4711')OR(sku = '4712'))
----
UPDATE inventory SET stock = 1 WHERE NOT sku = '4711'
----
UPDATE inventory SET stock = 1 WHERE sku = '4711' AND place = 'A' OR sku = '4713'
----
UPDATE inventory SET stock = 1 WHERE sku = '4711' OR true
----
UPDATE inventory SET stock = 1 WHERE false OR NOT (NOT (sku = '4713'))
----
UPDATE inventory SET ok = stock IS DISTINCT FROM 10 WHERE sku = '4711'
----
UPDATE inventory SET ok = stock IS NOT DISTINCT FROM 10, note = 'n' WHERE place IS DISTINCT FROM 'A'
----
UPDATE inventory SET note = trim(FROM '  x ') WHERE sku = '4711'
----
UPDATE inventory SET note = substring('abcdef' FROM 2 FOR 3) WHERE sku = '4711'
----
UPDATE inventory SET note = overlay('abcdef' PLACING 'X' FROM 2 FOR 1) WHERE extract(year FROM since) = 2020 AND sku = '4711'
----
UPDATE inventory SET note = position('c' IN 'abc')::text WHERE sku = '4711'
----
UPDATE inventory SET note = CASE WHEN stock > 10 THEN 'where' ELSE 'from' END
----
UPDATE inventory SET note = CASE sku WHEN '4711' THEN 'a' ELSE note END WHERE CASE WHEN stock > 10 THEN true ELSE sku = '4711' END
----
UPDATE inventory SET note = 'SET x = 1 WHERE y' WHERE sku = '4711'
----
UPDATE inventory SET note = 'it''s; -- not /* a comment' WHERE sku = '4711'
----
UPDATE inventory SET note = '\' WHERE sku = '4711'
----
UPDATE inventory SET note = '\', place = '\' WHERE sku = '4711' OR note = '\'
----
UPDATE inventory SET note = 'C:\' WHERE note = 'C:\'
----
UPDATE inventory SET note = E'it\'s' WHERE sku = '4711'
----
UPDATE inventory SET note = e'\\' WHERE sku = '4711'
----
UPDATE inventory SET note = E'a\\\'b WHERE sku = ''x' WHERE sku = '4711'
----
UPDATE inventory SET note = U&'d\0061t' WHERE sku = '4711'
----
UPDATE inventory SET note = N'n' WHERE sku = '4711'
----
UPDATE inventory SET note = (B'101')::text || (X'1F')::text WHERE sku = '4711'
----
UPDATE inventory SET note = $$it's a :name ? WHERE$$ WHERE sku = '4711'
----
UPDATE inventory SET note = $tag$ $$ 'x $other$ $tag$ WHERE sku = $k$4711$k$
----
UPDATE inventory SET note = $_1$x$_1$ WHERE sku = '4711'
----
UPDATE inventory SET note = 'one'
    'two' WHERE sku = '4711'
----
UPDATE inventory SET note = 'http://example.org:8080/a?b=:c' WHERE sku = '4711'
----
UPDATE inventory SET note = :p_sku || ':q_sku' || $$:q_sku$$ WHERE sku = :p_sku -- :q_sku
----
UPDATE inventory SET note = stock::text WHERE sku = '4711'::text::varchar
----
UPDATE inventory SET note = (stock :: text) WHERE sku = CAST('4711' AS text)
----
UPDATE inventory SET note = levels[1:2]::text WHERE sku = '4711'
----
UPDATE inventory SET levels[1:2] = ARRAY[8, 9] WHERE sku = '4711'
----
UPDATE inventory SET levels[2] = 5, stock = levels[1] WHERE sku = '4711'
----
UPDATE inventory SET levels = levels[:2] || levels[2:] WHERE levels[1:1] = '{1}'::int[]
----
UPDATE inventory SET levels = ARRAY[[1, 2], [3, 4]] WHERE 1 = ANY (levels) AND sku = '4711'
----
UPDATE inventory SET levels = levels[1\::p_n] WHERE sku = '4711'
----
UPDATE inventory SET tags = tags - 'x' WHERE tags ?? 'x'
----
UPDATE inventory SET stock = 0 WHERE tags ??| ARRAY['x', 'y']
----
UPDATE inventory SET stock = 0 WHERE tags ??& ARRAY['x', 'k']
----
UPDATE inventory SET stock = 0 WHERE tags @> '{"x": 1}' AND tags -> 'k' ->> 0 = 'a'
----
UPDATE inventory SET stock = 0 WHERE tags @?? '$.k[*]'
----
UPDATE inventory SET tags = jsonb_set(tags, '{a,b}', '"c:d"') WHERE sku = '4711'
----
UPDATE inventory SET tags['x'] = '5' WHERE sku = '4711'
----
UPDATE inventory SET stock = 1--comment
WHERE sku = '4711'
----
UPDATE inventory SET stock = 1 -- WHERE sku = 'x'
WHERE sku = '4711' -- OR true
----
UPDATE inventory SET stock = 1 /* WHERE sku = 'x' */ WHERE sku = '4711' /* OR true */
----
UPDATE inventory /* a /* nested */ comment */ SET /**/ stock /* ' */ = 1 WHERE/* " */sku = '4711'
----
/*+ hint */ UPDATE inventory SET stock = 1 WHERE sku = '4711'
----
-- leading
UPDATE inventory SET stock = 1 WHERE sku = '4711'
----
UPDATE inventory SET stock = 2-1 WHERE sku = '4711' AND stock>-1 AND - - 1 = 1
----
UPDATE inventory SET stock = 3*-/* c */2 WHERE sku = '4711'
----
UPDATE inventory SET price = 1.5e1 WHERE price = 1. AND stock < 1e3 AND sku = '4711'
----
UPDATE inventory SET price = .5, stock = 0010 WHERE sku = '4711'
----
UPDATE inventory SET stock = stock % 7, ok = stock != 3 AND stock <> 4 WHERE stock BETWEEN 5 AND 25
----
UPDATE inventory SET note = note || '!' WHERE note LIKE '%s' ESCAPE '!'
----
UPDATE inventory SET note = 'x' WHERE note SIMILAR TO 'it%' OR note ~* '^A' OR sku !~ '^4'
----
UPDATE inventory SET note = 'x' WHERE sku COLLATE "C" < '4712'
----
UPDATE inventory SET note = 'x' WHERE (sku, place) IN (('4711', 'A'), ('4713', 'B'))
----
UPDATE inventory SET note = 'x' WHERE ROW (stock, sku) > ROW (15, '')
----
UPDATE inventory SET note = 'x' WHERE sku IN (SELECT sku FROM other WHERE delta > 1)
----
UPDATE inventory SET note = 'x' WHERE EXISTS (SELECT FROM other o WHERE o.sku = inventory.sku)
----
UPDATE inventory SET note = 'x' WHERE sku = ALL (SELECT '4711' UNION ALL SELECT '4711')
----
UPDATE inventory SET note = 'x' WHERE since < now() - interval '1 day' AND sku = '4711'
----
UPDATE inventory SET since = '2021-01-01 00:00' AT TIME ZONE 'UTC' AT TIME ZONE 'UTC' WHERE sku = '4711'
----
UPDATE inventory SET stock = (SELECT count(*) FILTER (WHERE delta > 1) FROM other) WHERE sku = '4711'
----
UPDATE inventory SET stock = (SELECT sum(delta) OVER (ORDER BY sku) FROM other LIMIT 1) WHERE sku = '4711'
----
WITH o AS (SELECT sku FROM other WHERE delta = 1) UPDATE inventory SET stock = 1 WHERE sku IN (SELECT sku FROM o)
----
WITH o (k) AS MATERIALIZED (SELECT sku FROM other), p AS NOT MATERIALIZED (VALUES ('4711')) UPDATE inventory i SET stock = 1 FROM o WHERE o.k = i.sku AND i.sku IN (TABLE p)
----
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) UPDATE inventory SET stock = (SELECT max(i) FROM n) WHERE sku = '4711'
----
WITH a AS ((SELECT '4711' AS sku)) UPDATE inventory SET stock = 9 FROM a WHERE a.sku = inventory.sku RETURNING inventory.sku
----
WITH a AS (WITH b AS (SELECT '4711' AS sku) SELECT * FROM b) UPDATE inventory SET stock = 9 FROM a WHERE a.sku = inventory.sku
----
UPDATE inventory SET stock = (WITH w AS (SELECT 3 AS n) SELECT n FROM w) WHERE sku = '4711'
----
UPDATE app.orders SET state = 'sent' WHERE orders.id = 1
----
UPDATE app.orders SET state = 'sent' WHERE id = 1 OR id = 2
----
UPDATE "app".orders o SET qty = o.qty * 2 WHERE o.state = 'new'
----
UPDATE "Mixed Case" SET "Val" = 'c' WHERE "Key" = 1
----
UPDATE "Mixed Case" SET "Val" = 'c', "from" = 3 WHERE "Mixed Case"."from" = 0
----
UPDATE "Mixed Case" t SET "Val" = "Val" || '"' WHERE t."Key" = 1 OR t."Val" = '"'
----
UPDATE "Mixed Case" t SET "from" = t.from + 1 WHERE t.from = 0
----
UPDATE U&"M\0069xed Case" SET "Val" = 'u' WHERE "Key" = 2
----
UPDATE parts SET v = v + 1 WHERE id = 1
----
UPDATE parts SET v = 9
----
UPDATE parts SET region = 's' WHERE id = 2
----
UPDATE parts_n SET v = 5 WHERE id = 2
----
UPDATE doubled SET a = 5 WHERE id = 101
----
UPDATE doubled SET a = a + 1 WHERE b > 2 RETURNING b
----
UPDATE inventory SET stock = 1 WHERE sku LIKE '47%' AND (place = 'A' OR place = 'B') AND stock + 0 > 0
----
UPDATE inventory SET stock = coalesce(nullif(stock, 10), 11), note = format('%s:%s', sku, stock) WHERE sku = '4711'
----
UPDATE inventory SET stock=1 WHERE sku='4711'OR sku='4712'
----
UPDATE	inventory
SET	stock
=	1
WHERE
sku
=
'4711'
----
UPDATE inventory SET note = 'ünïcode – „quotes“ 😀' WHERE sku = '4711'
----
UPDATE inventory AS größe SET stock = 1 WHERE größe.sku = '4711'
----
UPDATE inventory AS set_ SET stock = 1 WHERE set_.sku = '4711'
----
UPDATE inventory AS "set" SET stock = 1 WHERE "set".sku = '4711'
----
DELETE FROM inventory WHERE sku = '4711'
----
delete from inventory
----
DELETE FROM inventory;
----
DELETE FROM inventory WHERE sku = :p_sku OR place = 'B'
----
DELETE FROM ONLY inventory WHERE sku = '4711'
----
DELETE FROM ONLY (inventory) WHERE sku = '4711'
----
DELETE FROM inventory AS i WHERE i.sku = '4711'
----
DELETE FROM inventory i WHERE i.sku = '4711' RETURNING i.*
----
DELETE FROM inventory * i WHERE i.sku = '4711' RETURNING i.sku
----
DELETE FROM inventory USING other WHERE other.sku = inventory.sku
----
DELETE FROM inventory i USING other o WHERE o.sku = i.sku AND o.delta > 1
----
DELETE FROM inventory i USING other o JOIN app.orders a USING (sku) WHERE o.sku = i.sku
----
DELETE FROM inventory i USING other o, app.orders a WHERE o.sku = i.sku AND a.sku = o.sku RETURNING i.sku, o.delta
----
DELETE FROM inventory RETURNING *
----
DELETE FROM inventory WHERE sku = '4711' -- OR true
----
DELETE FROM inventory /* WHERE false */ WHERE sku = '4711' /* OR true */
----
DELETE FROM inventory WHERE tags ?? 'x' AND note IS NOT NULL
----
DELETE FROM inventory WHERE note = 'C:\'
----
DELETE FROM inventory WHERE sku = ANY (ARRAY['4711', '4712'])
----
DELETE FROM inventory WHERE levels[1:2] = '{1,2}' AND sku <> '4713'
----
DELETE FROM app.orders WHERE state = 'new' AND orders.qty > 1
----
DELETE FROM "Mixed Case" WHERE "from" = 0 OR "Val" = 'b'
----
DELETE FROM parts WHERE region = 'n'
----
DELETE FROM doubled WHERE b = 4
----
WITH o AS (SELECT sku FROM other) DELETE FROM inventory WHERE sku IN (SELECT sku FROM o)
----
WITH o AS (SELECT sku FROM other) DELETE FROM inventory USING o WHERE o.sku = inventory.sku RETURNING inventory.sku
----
INSERT INTO inventory (sku, stock) VALUES ('n1', 1)
----
insert into inventory(sku)values('n1')
----
INSERT INTO inventory (sku, stock) VALUES (:p_sku || 'x', :p_n)
----
INSERT INTO inventory (sku, stock) VALUES ('n1', 1), ('n2', DEFAULT), ('n3', (SELECT max(delta) FROM other))
----
INSERT INTO inventory AS i (sku, stock) VALUES ('n1', 1) RETURNING i.sku, i.stock
----
INSERT INTO public.inventory (sku, "stock", tags) VALUES ('n1', 1, '{"a": [1, 2], "b": ")"}')
----
INSERT INTO inventory (sku, note) VALUES ('n1', 'a, b), (c' -- , comment )
)
----
INSERT INTO inventory (sku /* key */, stock -- amount
) VALUES ('n1' /* , */, 1)
----
INSERT INTO inventory (sku, levels) VALUES ('n1', ARRAY[1, 2]), ('n2', '{3,4}')
----
INSERT INTO inventory (sku, levels[1], levels[2]) VALUES ('n1', 5, 6)
----
INSERT INTO inventory (sku, note) VALUES ('n1', $$),($$), ('n2', E'\'),(')
----
INSERT INTO "Mixed Case" ("Key", "Val") VALUES (3, 'x')
----
INSERT INTO app.orders (id, sku, qty) VALUES (9, 'a', 1) RETURNING *
----
INSERT INTO parts (id, region, v) VALUES (7, 'n', 7), (8, 's', 8)
----
INSERT INTO doubled (id, a) OVERRIDING SYSTEM VALUE VALUES (110, 4)
----
INSERT INTO doubled (id, a) OVERRIDING USER VALUE VALUES (1, 4)
----
INSERT INTO doubled (a) VALUES (4) RETURNING id > 0
----
WITH o AS (SELECT max(delta) AS m FROM other) INSERT INTO inventory (sku, stock) VALUES ('n1', (SELECT m FROM o))
----
INSERT INTO inventory (sku, stock) VALUES ('4711', 5) ON CONFLICT (sku) DO UPDATE SET stock = EXCLUDED.stock
----
INSERT INTO inventory (sku, stock) VALUES (:p_sku, :p_n) ON CONFLICT (sku) DO UPDATE SET stock = inventory.stock + EXCLUDED.stock
----
INSERT INTO inventory AS i (sku, stock) VALUES ('4711', 5) ON CONFLICT (sku) DO UPDATE SET stock = i.stock + EXCLUDED.stock
----
INSERT INTO inventory AS i (sku, stock) VALUES ('4711', 5) ON CONFLICT (sku) DO UPDATE SET stock = i.stock + excluded.stock WHERE i.stock > 5 OR i.place = 'Q'
----
INSERT INTO inventory AS i (sku, stock) VALUES ('4711', 5) ON CONFLICT (sku) DO UPDATE SET stock = 9 WHERE i.stock > 500
----
INSERT INTO inventory (sku, stock) VALUES ('new', 5) ON CONFLICT (sku) DO UPDATE SET stock = EXCLUDED.stock
----
INSERT INTO inventory (sku, stock) VALUES ('4711', 5), ('new', 6), ('4712', DEFAULT) ON CONFLICT (sku) DO UPDATE SET (stock, note) = (EXCLUDED.stock, 'up')
----
INSERT INTO inventory (sku, stock) VALUES ('4711', 5) ON CONFLICT ON CONSTRAINT inventory_pkey DO UPDATE SET stock = EXCLUDED.stock
----
INSERT INTO inventory (sku, stock) VALUES ('O''CLOCK', 5) ON CONFLICT (lower(sku)) DO UPDATE SET stock = EXCLUDED.stock
----
INSERT INTO inventory (sku, stock) VALUES ('4711', 5) ON CONFLICT (sku COLLATE "default") DO UPDATE SET stock = EXCLUDED.stock
----
INSERT INTO inventory (sku, stock) VALUES ('4711', 5) ON CONFLICT (sku text_ops) DO UPDATE SET stock = EXCLUDED.stock RETURNING sku
----
INSERT INTO inventory (sku, stock) VALUES ('4711', 5) ON CONFLICT (sku) WHERE true DO UPDATE SET stock = EXCLUDED.stock
----
INSERT INTO parts (id, region, v) VALUES (1, 'n', 9) ON CONFLICT (id, region) DO UPDATE SET v = EXCLUDED.v WHERE parts.v IS DISTINCT FROM EXCLUDED.v
----
INSERT INTO "Mixed Case" AS "M" ("Key", "Val") VALUES (1, 'z') ON CONFLICT ("Key") DO UPDATE SET "Val" = EXCLUDED."Val" || "M"."Val"
----
INSERT INTO app.orders (id, qty) VALUES (1, 9) ON CONFLICT (id) DO UPDATE SET qty = orders.qty + EXCLUDED.qty, state = 'again' -- WHERE false
----
INSERT INTO app.orders (id, qty) VALUES (1, 9) ON CONFLICT (id) DO UPDATE SET qty = (SELECT count(*) FROM other WHERE delta > 1) WHERE (orders.state = 'new') RETURNING *
----
INSERT INTO doubled (id, a) VALUES (101, 7) ON CONFLICT (id) DO UPDATE SET a = EXCLUDED.a RETURNING b
