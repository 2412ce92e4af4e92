-- name: pause_rate
-- The provider has asked for $2 seconds without a call.
insert into provider_rates as held (rate, paused_until)
values ($1, now() + make_interval(secs => $2))
on conflict (rate) do update set paused_until = greatest(held.paused_until, excluded.paused_until)
