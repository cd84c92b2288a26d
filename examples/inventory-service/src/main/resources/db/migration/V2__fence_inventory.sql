SELECT fencing.protect('public.inventory');
