-- name: list_owners_of_runs
-- Who works on runs at present.
select distinct owner from runs where status = 'running' and owner is not null

-- name: claim_runs
-- Take up to $4 runs that nobody works on: the lease is over (a handed back one's at once, a
-- waiting one's when it is decided or expires), the owner is one of $3, or it is ours and one of $5.
-- Not those of $6: we work on them, and only our heartbeat is late. Of all runs, or only $7.
-- A run that lost its owner counts one more attempt; one that we left because the database was
-- away does not: that is nothing it did. Tenants take turns, each with what waits longest.
-- One that may have taken its owner down is paused for $8 s (0: none is), with nobody as its owner:
-- at its first loss where it did not wait for a model just then, at later ones always. Those are
-- suspects, for `claim_suspect`. One that had its $9 attempts is taken: to be ended.
-- One that code began which we do not repeat is left for $10 s (0: is taken) to the replicas that do.
with lost as (
    select tenant_id, run_id,
        row_number() over (partition by tenant_id order by lease_until) as place
    from runs
    where status in ('running', 'waiting')
        and (
            lease_until <= now() or owner = any($3::text[])
            or (owner = $1 and run_id = any($5::uuid[]))
        )
        and run_id <> all($6::uuid[])
        and ($7::uuid is null or run_id = $7)
        and (owner is not null or attempt < 3 or $8::float8 = 0)
        and not exists (select from held_tenants where held_tenants.tenant_id = runs.tenant_id)
        and (
            $10::float8 = 0 or lease_until <= now() - make_interval(secs => $10::float8)
            or exists (
                select from replicas where replicas.owner = $1 and runs.code = any(repeats)
            )
            or not exists (
                select from replicas
                where replicas.owner <> $1 and runs.code = any(repeats) and takes_runs
                    and not is_draining and replicas.owner <> all($3::text[])
                    and greatest(seen_at, looks_at) > now() - interval '2 minutes'
            )
        )
), found as (
    select tenant_id, run_id, status = 'waiting' as was_waiting,
        owner is not null and not (owner = $1 and run_id = any($5::uuid[])) as is_crashed,
        attempt >= 2 or not exists (
            select from llm_calls
            where llm_calls.tenant_id = runs.tenant_id and llm_calls.run_id = runs.run_id
                and llm_calls.status = 'started'
                and call_id >= plainloop_first_call(runs.run_id)
        ) as may_be_it
    from runs join lost using (tenant_id, run_id)
    -- Again: somebody may have taken it since it was found.
    where status in ('running', 'waiting')
        and (
            lease_until <= now() or owner = any($3::text[])
            or (owner = $1 and run_id = any($5::uuid[]))
        )
    order by place, lease_until
    limit $4
    for update of runs skip locked
), judged as (
    select found.tenant_id, found.run_id, was_waiting, is_crashed,
        is_crashed and may_be_it and attempt < $9::int and $8::float8 > 0 as is_paused
    from found join runs using (tenant_id, run_id)
)
update runs
set status = 'running', fence = fence + 1, attempt = attempt + is_crashed::int,
    owner = case when is_paused then null else $1 end,
    lease_until = now() + make_interval(secs => case when is_paused then $8::float8 else $2 end)
from judged
where runs.tenant_id = judged.tenant_id and runs.run_id = judged.run_id
returning runs.tenant_id, runs.run_id, thread_id, user_id, owner, fence, attempt, design, pack,
    input_position, cancel_requested, was_waiting

-- name: lock_suspects
-- Where there is a suspect to take: one process at a time chooses, in a statement of its own, which
-- sees what the one before has committed.
select pg_advisory_xact_lock(hashtext('plainloop.suspects'))::text
from (
    select from runs
    where status in ('running', 'waiting') and owner is null and attempt > 2
        and lease_until <= now()
    limit 1
) as suspect

-- name: claim_suspect
-- Take the run whose pause ended first of those that lost their owner twice and more without a step,
-- when no other of them is worked on anywhere.
with suspect as (
    select tenant_id, run_id, status = 'waiting' as was_waiting
    from runs
    where status in ('running', 'waiting') and owner is null and attempt > 2
        and lease_until <= now()
        and not exists (
            select from runs as other
            where other.status = 'running' and other.owner is not null and other.attempt > 2
        )
        and not exists (select from held_tenants where held_tenants.tenant_id = runs.tenant_id)
    order by lease_until
    limit 1
    for update skip locked
)
update runs
set status = 'running', owner = $1, fence = fence + 1,
    lease_until = now() + make_interval(secs => $2)
from suspect
where runs.tenant_id = suspect.tenant_id and runs.run_id = suspect.run_id
returning runs.tenant_id, runs.run_id, thread_id, user_id, owner, fence, attempt, design, pack,
    input_position, cancel_requested, was_waiting

-- name: claim_queued_run, alone
-- Take the oldest queued run of a thread where nothing is in progress, of the tenant of whom fewest
-- are worked on: one with a thousand of them delays another's by one. In the order in which the
-- database took them in: the ids are of the replicas' clocks.
update runs
set status = 'running', owner = $1, fence = fence + 1, attempt = 1,
    lease_until = now() + make_interval(secs => $2),
    code = (select code from replicas where replicas.owner = $1)
where (tenant_id, run_id) = (
    select queued.tenant_id, queued.run_id
    from runs as queued
    left join (
        select tenant_id, count(*) as runs from runs where status = 'running' group by tenant_id
    ) as busy on busy.tenant_id = queued.tenant_id
    where status = 'queued'
        and not exists (select from held_tenants where held_tenants.tenant_id = queued.tenant_id)
        and not exists (
            select from runs as other
            where other.tenant_id = queued.tenant_id and other.thread_id = queued.thread_id
                and (
                    other.status in ('running', 'waiting')
                    or (
                        other.status = 'queued'
                        and (other.created_at, other.run_id) < (queued.created_at, queued.run_id)
                    )
                )
        )
    order by coalesce(busy.runs, 0), created_at, run_id
    limit 1
    for update of queued skip locked
)
returning tenant_id, run_id, thread_id, user_id, owner, fence, attempt, design, pack,
    input_position, cancel_requested, false as was_waiting

-- name: extend_runs, alone
-- Extend the leases of the runs $3 of one process; those missing from the answer are lost.
update runs
set lease_until = now() + make_interval(secs => $2)
where owner = $1 and run_id = any($3::uuid[]) and status = 'running'
returning run_id, cancel_requested

-- name: release_runs
-- A process gives up its runs (the one with the fence $3 of $2; null: all): whoever looks in $4 s may
-- take them.
update runs set owner = null, lease_until = now() + make_interval(secs => $4)
where owner = $1 and status = 'running' and ($2::uuid is null or (run_id = $2 and fence = $3))

-- name: list_owners_of_items
-- Who works on the items of the replay $2.
select distinct owner from replay_items
where tenant_id = $1 and replay_id = $2 and status = 'running' and owner is not null

-- name: claim_items
-- Take an item that nobody works on: queued, the lease over, or the owner one of $3. It waits
-- until its conversation has ended in the lanes that $6 names for its own. While one of those that
-- wait is worked on, none of these begins: it would buy what the other has.
update replay_items
set status = 'running', owner = $1, fence = fence + 1, attempt = attempt + 1,
    lease_until = now() + make_interval(secs => $2), started_at = coalesce(started_at, now())
where (tenant_id, replay_id, lane, n) = (
    select tenant_id, replay_id, lane, n from replay_items
    where tenant_id = $4 and replay_id = $5
        and (
            status = 'queued'
            or (status = 'running' and (lease_until <= now() or owner = any($3::text[])))
        )
        and not exists (
            select from replay_items as other
            where other.tenant_id = $4 and other.replay_id = $5 and other.n = replay_items.n
                and (
                    other.status in ('queued', 'running')
                    and exists (
                        select from json_array_elements_text($6::json -> replay_items.lane) as name
                        where name = other.lane
                    )
                    or other.status = 'running' and other.lease_until > now()
                    and exists (
                        select from json_array_elements_text($6::json -> other.lane) as name
                        where name = replay_items.lane
                    )
                )
        )
    order by n, lane
    limit 1
    for update skip locked
)
returning lane, n, thread_id, conversation, fence

-- name: extend_items
-- Extend the leases of the items $3 (a list) that a worker has on hand.
update replay_items set lease_until = now() + make_interval(secs => $2)
from json_to_recordset($3::json) as hand (lane text, n int, fence bigint)
where tenant_id = $4 and replay_id = $5 and owner = $1 and status = 'running'
    and replay_items.lane = hand.lane and replay_items.n = hand.n
    and replay_items.fence = hand.fence
returning replay_items.lane, replay_items.n

-- name: release_items
-- Hand back a worker's items: whoever comes next goes on with them.
update replay_items set lease_until = now(), owner = null
where owner = $1 and tenant_id = $2 and replay_id = $3 and status = 'running'

-- name: list_owners_of_batches
-- Who looks after the batches of the replay $2.
select distinct owner from replay_batches
where tenant_id = $1 and replay_id = $2 and status in ('submitting', 'open')
    and owner is not null

-- name: claim_batches
-- Take a batch that nobody looks after: handed back, the lease over, or the owner one of $3.
update replay_batches
set owner = $1, fence = fence + 1, lease_until = now() + make_interval(secs => $2)
where (tenant_id, batch_id) = (
    select tenant_id, batch_id from replay_batches
    where tenant_id = $4 and replay_id = $5 and status in ('submitting', 'open')
        and (owner is null or lease_until <= now() or owner = any($3::text[]))
    order by n
    limit 1
    for update skip locked
)
returning batch_id, n, provider, model, endpoint, handle, status, provider_batch_id, requests, fence,
    created_at, expires_at

-- name: extend_batches
-- Extend the leases of the batches $3 that a worker really looks after.
update replay_batches set lease_until = now() + make_interval(secs => $2)
where tenant_id = $4 and replay_id = $5 and owner = $1 and status in ('submitting', 'open')
    and batch_id = any($3::uuid[])
returning batch_id

-- name: release_batches
-- Hand back a worker's batches ($4: only this one): whoever comes next goes on with them.
update replay_batches set lease_until = now(), owner = null
where owner = $1 and tenant_id = $2 and replay_id = $3 and status in ('submitting', 'open')
    and ($4::uuid is null or batch_id = $4)
