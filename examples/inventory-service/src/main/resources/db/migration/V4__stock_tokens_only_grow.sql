-- Level 4, the mild form: no client whatever can lower a token again.
SELECT fencing.enforce('public.stock', 'monotonic');
