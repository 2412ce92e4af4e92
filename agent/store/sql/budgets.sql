-- part: period_start
-- When the current period of the budget began.
case period when 'total' then '-infinity'::timestamptz else date_trunc(period, now(), zone) end

-- name: list_budgets
-- A tenant's budgets, oldest first.
select budget_id, scope, user_id, period, zone, limit_tokens, limit_usd, is_hard, created_at
from budgets where tenant_id = $1 order by created_at, budget_id

-- name: save_budget
-- Make a budget, or change limits and time zone of one that is for the same.
insert into budgets
    (tenant_id, budget_id, scope, user_id, period, limit_tokens, limit_usd, is_hard, zone)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
on conflict (tenant_id, budget_id) do update
set limit_tokens = excluded.limit_tokens, limit_usd = excluded.limit_usd,
    is_hard = excluded.is_hard, zone = excluded.zone

-- name: lock_budgets
-- A tenant's budgets are made and changed one after the other, and while no call is settled.
select pg_advisory_xact_lock(hashtextextended('plainloop budgets ' || $1, 0))

-- name: find_budget
-- The budget that is for the same: subject, period, hard or soft; locked.
select budget_id, zone from budgets
where tenant_id = $1 and scope = $2 and user_id is not distinct from $3 and period = $4
    and is_hard = $5 for update

-- name: delete_budget
-- Take a budget away, with what was counted and reserved for it.
with counters as (
    delete from budget_counters where tenant_id = $1 and budget_id = $2
), reservations as (
    delete from budget_reservations where tenant_id = $1 and budget_id = $2
)
delete from budgets where tenant_id = $1 and budget_id = $2
returning budget_id, scope, user_id, period, limit_tokens, limit_usd, is_hard, zone

-- name: start_counters
-- What a new budget's period has used before: from the ledger, by subject.
insert into budget_counters
    (tenant_id, budget_id, subject, period_start, user_id, used_tokens, used_usd,
    reserved_tokens, reserved_usd)
select calls.tenant_id, b.budget_id,
    case b.scope when 'tenant' then '' when 'user' then calls.user_id else calls.run_id::text end,
    {period_start},
    case when b.scope <> 'tenant' then calls.user_id end,
    coalesce(sum({buckets +: coalesce(calls.@, 0)}), 0),
    coalesce(sum(calls.cost_usd), 0), 0, 0
from budgets as b
join llm_calls as calls on calls.tenant_id = b.tenant_id
    and (b.period = 'total' or calls.created_at >= date_trunc(b.period, now(), b.zone))
    and (b.user_id is null or calls.user_id = b.user_id)
where b.tenant_id = $1 and b.budget_id = $2 and b.scope <> 'run' group by 1, 2, 3, 4, 5
on conflict (tenant_id, budget_id, subject, period_start) do update
set used_tokens = excluded.used_tokens, used_usd = excluded.used_usd

-- name: list_rooms
-- How the budgets stand that a call of user $2 and run $3 (null: of none) falls under.
select b.budget_id, b.scope, b.is_hard, b.limit_tokens, b.limit_usd,
    coalesce(counter.used_tokens, 0) as used_tokens,
    coalesce(counter.used_usd, 0) as used_usd,
    coalesce(counter.reserved_tokens, 0) as reserved_tokens,
    coalesce(counter.reserved_usd, 0) as reserved_usd
from budgets as b
left join budget_counters as counter on counter.tenant_id = $1
    and counter.budget_id = b.budget_id
    and counter.subject
        = case b.scope when 'tenant' then '' when 'user' then $2::text
            else plainloop_root_run($1, $3::text) end
    and counter.period_start = {period_start}
where b.tenant_id = $1 and (b.user_id is null or b.user_id = $2)
    and (b.scope <> 'run' or $3::text is not null)

-- name: reserve
-- Reserve $5 tokens and $6 USD (null: not known) for the call $2 of user $3 and run $4 in all budgets
-- that apply, and say how they stand. A hard one without `is_reserved` has no room: the caller rolls
-- back. An insert takes the newest counter, whatever was committed since this statement began; in one
-- order, so that two calls never wait for each other.
with matching as (
    select budget_id, scope, user_id, period, zone, is_hard, limit_tokens, limit_usd,
        case scope when 'tenant' then '' when 'user' then $3::text
            else plainloop_root_run($1, $4::text) end as subject,
        {period_start} as period_start,
        case when scope <> 'tenant' then $3::text end as counted_for
    from budgets
    where tenant_id = $1
        and (user_id is null or user_id = $3) and (scope <> 'run' or $4::text is not null)
), counted as (
    insert into budget_counters as counter
        (tenant_id, budget_id, subject, period_start, user_id, used_tokens, used_usd,
        reserved_tokens, reserved_usd)
    select $1, budget_id, subject, period_start, counted_for, 0, 0, $5::bigint,
        coalesce($6::numeric, 0)
    from matching
    where not is_hard or (
        (limit_tokens is null or $5::bigint <= limit_tokens)
        and (limit_usd is null or $6::numeric <= limit_usd)
    )
    order by budget_id, subject
    on conflict (tenant_id, budget_id, subject, period_start) do update
    set reserved_tokens = counter.reserved_tokens + excluded.reserved_tokens,
        reserved_usd = counter.reserved_usd + excluded.reserved_usd
    where exists (
        select from budgets
        where budgets.tenant_id = counter.tenant_id and budgets.budget_id = counter.budget_id
            and (is_hard and (
                counter.used_tokens + counter.reserved_tokens + excluded.reserved_tokens
                    > limit_tokens
                or counter.used_usd + counter.reserved_usd + excluded.reserved_usd > limit_usd
            )) is not true -- a limit of null is passed by nothing
    )
    returning budget_id, subject, period_start, user_id, used_tokens, used_usd, reserved_tokens,
        reserved_usd, told_at
), kept as (
    insert into budget_reservations
        (tenant_id, call_id, budget_id, subject, period_start, user_id, tokens, cost_usd)
    select $1, $2, budget_id, subject, period_start, user_id, $5::bigint,
        coalesce($6::numeric, 0)
    from counted
)
select matching.*, counted.budget_id is not null as is_reserved,
    counted.used_tokens, counted.used_usd, counted.reserved_tokens, counted.reserved_usd,
    counted.told_at is not null as is_told
from matching
left join counted on counted.budget_id = matching.budget_id
    and counted.subject = matching.subject and counted.period_start = matching.period_start

-- name: settle_lost
-- Count what is reserved for calls of the run $2 as used: its owner is gone.
select plainloop_count_calls(
    $1, array(select call_id from llm_calls where tenant_id = $1 and run_id = $2), '{}')

-- name: mark_told
-- That it was told, once per period. No row: somebody else has.
update budget_counters set told_at = now()
where tenant_id = $1 and budget_id = $2 and subject = $3 and period_start = $4
    and told_at is null
returning true

-- name: list_budget_usage
-- A tenant's budgets with what their current period has used, the fullest subject first.
select b.budget_id, b.scope, b.user_id, b.period, b.zone, b.limit_tokens, b.limit_usd, b.is_hard,
    b.created_at, counter.subject, counter.used_tokens, counter.used_usd,
    counter.reserved_tokens, counter.reserved_usd
from budgets as b
left join lateral (
    select * from budget_counters as c
    where c.tenant_id = b.tenant_id and c.budget_id = b.budget_id
        and c.period_start = {period_start}
        and ($2::text is null or c.user_id = $2 or c.subject = '')
    order by greatest(
            (c.used_tokens + c.reserved_tokens)::numeric / nullif(b.limit_tokens, 0),
            (c.used_usd + c.reserved_usd) / nullif(b.limit_usd, 0)
        ) desc nulls last, c.subject
    limit $3
) as counter on true
where b.tenant_id = $1 and ($2::text is null or b.user_id is null or b.user_id = $2)
order by b.created_at, b.budget_id
