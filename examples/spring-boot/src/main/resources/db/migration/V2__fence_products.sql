SELECT fencing.protect('public.product');
