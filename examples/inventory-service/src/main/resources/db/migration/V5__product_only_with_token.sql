-- Level 4, the strict form: imports and people with psql write products, too, and have to take the lock for it.
SELECT fencing.enforce('public.product', 'strict');
