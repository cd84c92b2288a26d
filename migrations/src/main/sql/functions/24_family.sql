---------------------------------------------------------------------------------------------------------------------
-- A table with its partitions and children
---------------------------------------------------------------------------------------------------------------------

-- The table itself with its partitions and children, itself first, in the order in which PostgreSQL locks them.
CREATE OR REPLACE FUNCTION fencing._family(relation regclass) RETURNS SETOF regclass
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  WITH RECURSIVE family AS (
    SELECT relation::oid AS member
    UNION
    SELECT i.inhrelid FROM family JOIN pg_inherits AS i ON i.inhparent = family.member)
  SELECT member::regclass FROM family ORDER BY member <> relation::oid, member
$$;

-- Other token columns of the rows of a table: its own, and those of its partitions, children and parents.
CREATE OR REPLACE FUNCTION fencing._other_columns(relation regclass, token_column text)
  RETURNS TABLE (other_column name, other_mode text)
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  WITH RECURSIVE parents AS (
    SELECT relation::oid AS member
    UNION
    SELECT i.inhparent FROM parents JOIN pg_inherits AS i ON i.inhrelid = parents.member)
  SELECT r.token_column, r.mode
  FROM fencing.registry AS r
  WHERE r.token_column <> _other_columns.token_column
    AND r.relation IN (SELECT member FROM parents UNION SELECT fencing._family(_other_columns.relation)::oid)
$$;

CREATE OR REPLACE FUNCTION fencing._bytes(relation regclass) RETURNS bigint
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT sum(pg_relation_size(member))::bigint FROM fencing._family(relation) AS member
$$;

