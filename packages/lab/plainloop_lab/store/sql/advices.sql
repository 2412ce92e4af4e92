-- name: take_turn
-- Advice of a user is counted and begun one after the other: until the transaction ends.
select pg_advisory_xact_lock(hashtextextended($1 || chr(31) || $2, 82))

-- name: insert_advice
-- A new one, open for whoever comes; none when the user has $5 that are open.
insert into advices (tenant_id, advice_id, user_id, request, tasks)
select $1, $2, $3, $4, $6
where $5 > (
    select count(*) from advices where tenant_id = $1 and user_id = $3 and ended_at is null
)
returning true

-- name: list_advices
-- Those of user $2 (null: all of the tenant), the newest first; or ($3) one.
select advice_id, user_id, status, request, tasks, steps, result, error_code, error_message,
    created_at, ended_at
from advices
where tenant_id = $1 and ($2::text is null or user_id = $2) and ($3::uuid is null or advice_id = $3)
order by advice_id desc
limit $4

-- name: list_open_advices
-- Up to $1 of all tenants that nobody works on, or that $2 does; $3: owners that are gone.
select tenant_id, advice_id from advices
where ended_at is null
    and (owner is null or owner = $2 or owner = any ($3) or lease_until <= now())
    and not exists (select from held_tenants where held_tenants.tenant_id = advices.tenant_id)
order by advice_id
limit $1

-- name: list_owners_of_advices
-- Who works on open ones.
select distinct owner from advices where ended_at is null and owner is not null

-- name: claim_advice
-- Make it $3's for $4 more seconds; nothing when somebody else ($5: who is gone) has it, or it has
-- ended.
update advices set owner = $3, lease_until = now() + make_interval(secs => $4)
where tenant_id = $1 and advice_id = $2 and ended_at is null
    and (owner is null or owner = $3 or owner = any ($5) or lease_until <= now())
returning true

-- name: release_advice
-- Anybody may go on with it.
update advices set owner = null, lease_until = null
where tenant_id = $1 and advice_id = $2 and owner = $3

-- name: hold_steps
-- The steps of one that $3 works on, until the transaction ends.
select steps from advices
where tenant_id = $1 and advice_id = $2 and owner = $3 and ended_at is null
for update

-- name: save_tasks
-- What it will try.
update advices set tasks = $3 where tenant_id = $1 and advice_id = $2

-- name: save_steps
-- Which replay each step is.
update advices set steps = $3 where tenant_id = $1 and advice_id = $2

-- name: finish_advice
-- End it; nothing when it had ended.
update advices
set status = $3, result = $4, error_code = $5, error_message = $6, ended_at = now(),
    owner = null, lease_until = null
where tenant_id = $1 and advice_id = $2 and ended_at is null
returning true
