-- name: take_rate, alone
-- What may go now of the calls $5 that wait here for the rate $1; $6: corrections of earlier ones.
select whose, taken, in_second, wait_s
from plainloop_take_rate($1, $2, $3, $4, $5, $6, null)

-- name: pause_rate, alone
-- The provider has asked for $2 seconds without a call.
insert into provider_rates as held (rate, paused_until)
values ($1, now() + make_interval(secs => $2))
on conflict (rate) do update set paused_until = greatest(held.paused_until, excluded.paused_until)
