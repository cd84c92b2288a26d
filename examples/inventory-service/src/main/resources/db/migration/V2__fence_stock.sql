SELECT fencing.protect('public.stock');
