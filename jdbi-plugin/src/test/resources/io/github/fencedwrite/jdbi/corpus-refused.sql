-- Statements that are refused, each behind a line of its own: four dashes, and a part of the text at which they are refused
---- CURRENT
UPDATE inventory SET stock = 1 WHERE CURRENT OF c
---- CURRENT
DELETE FROM inventory WHERE CURRENT OF c
---- MERGE
MERGE INTO inventory i USING other o ON o.sku = i.sku WHEN MATCHED THEN UPDATE SET stock = 1
---- MERGE
WITH x AS (SELECT 1) MERGE INTO inventory i USING x ON true WHEN MATCHED THEN DELETE
---- DELETE
WITH d AS (DELETE FROM inventory RETURNING sku) UPDATE inventory SET stock = 1
---- INSERT
WITH d AS (INSERT INTO inventory (sku) VALUES ('x') RETURNING sku) SELECT * FROM d
---- UPDATE inventory SET stock = 2
WITH d AS MATERIALIZED (UPDATE inventory SET stock = 2 RETURNING sku) DELETE FROM inventory
---- MERGE
WITH d AS (MERGE INTO inventory i USING other o ON o.sku = i.sku WHEN MATCHED THEN DELETE) UPDATE inventory SET stock = 1
---- ; U
UPDATE inventory SET stock = 1; UPDATE inventory SET stock = 2
---- ;D
UPDATE inventory SET stock = 1;DROP TABLE inventory;
---- SELECT
INSERT INTO inventory (sku) SELECT 'x'
---- SELECT
INSERT INTO inventory (SELECT 'x')
---- (SELECT
INSERT INTO inventory (sku) (SELECT 'x')
---- TABLE
INSERT INTO inventory (sku) TABLE other
---- WITH
INSERT INTO inventory (sku) WITH x AS (SELECT 'x') SELECT * FROM x
---- DEFAULT
INSERT INTO inventory DEFAULT VALUES
---- VALUES
INSERT INTO inventory VALUES ('x')
---- UNION
INSERT INTO inventory (sku) VALUES ('x') UNION SELECT 'y'
---- ORDER
INSERT INTO inventory (sku) VALUES ('x') ORDER BY 1
---- DO NOTHING
INSERT INTO inventory (sku) VALUES ('x') ON CONFLICT DO NOTHING
---- DO NOTHING
INSERT INTO inventory (sku) VALUES ('x') ON CONFLICT (sku) DO NOTHING
---- last_token
UPDATE inventory SET last_token = 5 WHERE sku = '4711'
---- LAST_TOKEN
UPDATE inventory SET stock = 1 WHERE LAST_TOKEN < 5
---- "last_token"
UPDATE inventory SET stock = 1, "last_token" = 7
---- U&"last\005Ftoken"
UPDATE inventory SET U&"last\005Ftoken" = 7
---- last_token
INSERT INTO inventory (sku, last_token) VALUES ('x', 1)
---- last_token
UPDATE inventory SET stock = 1 WHERE sku IN (SELECT sku FROM inventory WHERE last_token = 0)
---- UESCAPE
UPDATE inventory SET U&"last!005Ftoken" UESCAPE '!' = 7
---- ) OR
UPDATE inventory SET stock = 1 WHERE sku = 'x') OR (true
---- ]
UPDATE inventory SET stock = 1 WHERE levels[1]] = 1
---- (
UPDATE inventory SET stock = 1 WHERE (sku = 'x'
---- 'x
UPDATE inventory SET note = 'x WHERE sku = 1
---- "x
UPDATE inventory SET "x = 1
---- /* 
UPDATE inventory SET stock = 1 /* WHERE /* sku */ = 1
---- $a$
UPDATE inventory SET note = $a$x$b$ WHERE sku = 1
---- SELECT
SELECT * FROM inventory
---- TRUNCATE
TRUNCATE inventory
---- COPY
COPY inventory FROM STDIN
---- CALL
CALL p()
---- DO
DO $$ BEGIN END $$
---- EXPLAIN
EXPLAIN UPDATE inventory SET stock = 1
---- CREATE
CREATE TABLE x (a int)
---- VACUUM
VACUUM inventory
---- WHERE
UPDATE inventory SET WHERE sku = 'x'
---- RETURNING
UPDATE inventory SET stock = 1 WHERE RETURNING *
---- 
UPDATE inventory
---- 'inventory'
UPDATE 'inventory' SET stock = 1
---- inventory
DELETE inventory
---- other
DELETE FROM inventory JOIN other ON true
---- TABLESAMPLE
DELETE FROM inventory i TABLESAMPLE system (10)
