-- name: list_owners
-- Who works on runs at present.
select distinct owner from runs where status = 'running' and owner is not null

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
    order by lease_until limit 1 for update skip locked
)
update runs
set status = 'running', owner = $1, fence = fence + 1,
    lease_until = now() + make_interval(secs => $2)
from suspect where runs.tenant_id = suspect.tenant_id and runs.run_id = suspect.run_id
returning runs.tenant_id, runs.run_id, thread_id, user_id, owner, fence, attempt, design, pack,
    input_position, cancel_requested, was_waiting

-- name: release_runs
-- A process gives up its runs (that of $2 with the fence $3; null: all): in $4 s others may claim them.
update runs set owner = null, lease_until = now() + make_interval(secs => $4)
where owner = $1 and status = 'running' and ($2::uuid is null or (run_id = $2 and fence = $3))

-- name: list_replicas
-- Who gave a sign of life, or said when the next one comes, within the last hour; of those that
-- drain within minutes: they go, and may be gone before they can say so.
select owner, is_draining, started_at, seen_at,
    greatest(seen_at, looks_at) < now() - interval '2 minutes' as is_silent
from replicas
where greatest(seen_at, looks_at)
    > now() - case when is_draining then interval '2 minutes' else interval '1 hour' end
order by started_at, owner
