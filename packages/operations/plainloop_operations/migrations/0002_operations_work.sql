-- Whether there is work for a process (plainloop_find_work of the service).
create function plainloop_has_webhooks() returns boolean language sql stable as $$
    select exists (select from webhook_deliveries where due_at <= now())
$$;
create function plainloop_has_schedules() returns boolean language sql stable as $$
    select exists (select from schedules where next_at <= now())
$$;
