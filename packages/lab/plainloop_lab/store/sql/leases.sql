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
    lease_until = now() + make_interval(secs => $2), started_at = now()
where (tenant_id, replay_id, lane, n) = (
    select tenant_id, replay_id, lane, n from replay_items
    where tenant_id = $4 and replay_id = $5
        and not (  -- a cancelled replay begins nothing more
            select cancel_requested from replays
            where replays.tenant_id = $4 and replays.replay_id = $5
        )
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
