-- name: list_owners
-- Who works on runs at present.
select distinct owner from runs where status = 'running' and owner is not null

-- name: claim_lost_runs
-- Take up to $5 runs that nobody works on: the lease is over (a handed back one's at once, a
-- waiting one's when it is decided or expires), the owner is one of $3, or it is ours and one of $4.
-- Not those of $6: we work on them, and only our heartbeat is late.
-- A run that lost its owner counts one more attempt.
with found as (
    select tenant_id, run_id, owner as lost_owner, status = 'waiting' as was_waiting
    from runs
    where status in ('running', 'waiting')
        and (
            lease_until <= now() or owner = any($3::text[])
            or (owner = $1 and run_id = any($4::uuid[]))
        )
        and run_id <> all($6::uuid[])
    order by lease_until
    limit $5
    for update skip locked
)
update runs
set status = 'running', owner = $1, fence = fence + 1,
    lease_until = now() + make_interval(secs => $2),
    attempt = attempt + case when found.lost_owner is null then 0 else 1 end
from found
where runs.tenant_id = found.tenant_id and runs.run_id = found.run_id
returning runs.tenant_id, runs.run_id, thread_id, user_id, owner, fence, attempt, design, pack,
    input_position, cancel_requested, was_waiting

-- name: claim_run
-- Take one run that nobody works on.
with found as (
    select tenant_id, run_id, status = 'waiting' as was_waiting
    from runs
    where run_id = $3 and status in ('running', 'waiting') and lease_until <= now()
    for update
)
update runs
set status = 'running', owner = $1, fence = fence + 1,
    lease_until = now() + make_interval(secs => $2),
    attempt = attempt + case when owner is null then 0 else 1 end
from found
where runs.tenant_id = found.tenant_id and runs.run_id = found.run_id
returning runs.tenant_id, runs.run_id, thread_id, user_id, owner, fence, attempt, design, pack,
    input_position, cancel_requested, was_waiting

-- name: claim_queued_run
-- Take the oldest queued run of a thread where nothing is in progress; of the thread $3 if given.
update runs
set status = 'running', owner = $1, fence = fence + 1, attempt = 1,
    lease_until = now() + make_interval(secs => $2)
where (tenant_id, run_id) = (
    select tenant_id, run_id
    from runs as queued
    where status = 'queued' and ($3::uuid is null or thread_id = $3)
        and not exists (
            select from runs as other
            where other.tenant_id = queued.tenant_id and other.thread_id = queued.thread_id
                and (
                    other.status in ('running', 'waiting')
                    or (other.status = 'queued' and other.run_id < queued.run_id)
                )
        )
    order by run_id
    limit 1
    for update skip locked
)
returning tenant_id, run_id, thread_id, user_id, owner, fence, attempt, design, pack,
    input_position, cancel_requested, false as was_waiting

-- name: enqueue_run
-- A run that begins when those before it have ended; none when the thread is not the user's.
insert into runs
    (tenant_id, user_id, thread_id, run_id, status, design, pack, idempotency_key, request_hash,
    pending_input)
select tenant_id, user_id, thread_id, $4, 'queued', $5, $6, $7, $8, $9
from threads
where tenant_id = $1 and user_id = $2 and thread_id = $3
returning run_id

-- name: load_pending_input
-- The message of a claimed run that is not in its thread yet.
select pending_input from runs
where tenant_id = $1 and run_id = $2 and fence = $3 and input_position is null
for update

-- name: take_pending_input
-- The message is in the thread now, at position $4.
update runs set input_position = $4, pending_input = null
where tenant_id = $1 and run_id = $2 and fence = $3

-- name: load_resume_point
-- Where a claimed run goes on: its next step, its last stored event, how long its steps took, and
-- the thread's kind.
select threads.kind,
    (
        select coalesce(max(n) + 1, 0) from steps where tenant_id = $1 and run_id = $2
    ) as next_step,
    (
        select coalesce(sum(duration_ms), 0) from steps where tenant_id = $1 and run_id = $2
    )::int as used_ms,
    coalesce(greatest(
        (select max(last_seq) from run_events where tenant_id = $1 and run_id = $2),
        (select max(last_seq) from steps where tenant_id = $1 and run_id = $2)
    ), 0) as last_seq
from runs
join threads on threads.tenant_id = $1 and threads.thread_id = runs.thread_id
where runs.tenant_id = $1 and runs.run_id = $2

-- name: hand_back_run
-- The owner goes on with it no more; whoever looks next may take it.
update runs set owner = null, lease_until = now()
where tenant_id = $1 and run_id = $2 and fence = $3 and status = 'running'

-- name: hand_back_all
-- A process that goes gives up all that it still owns.
update runs set owner = null, lease_until = now()
where owner = $1 and status = 'running'

-- name: list_cancel_requests
-- Runs of one process that somebody asked to stop.
select run_id from runs
where owner = $1 and status in ('running', 'waiting') and cancel_requested

-- name: load_unfinished_runs
-- The thread's run in progress, then its queue; locked.
select run_id, status, owner, fence, attempt, user_id, thread_id, design, pack, input_position,
    coalesce(lease_until < now(), false) as is_expired
from runs
where tenant_id = $1 and thread_id = $2 and status in ('running', 'waiting', 'queued')
order by status = 'queued', run_id
for update

-- name: end_queued_run
-- A run that never began.
update runs
set status = 'cancelled', error_code = $3, error_message = $4, ended_at = now()
where tenant_id = $1 and run_id = $2 and status = 'queued'

-- name: record_tool_start
-- An external call that is about to be made, if the fence holds. The run's row is held against a
-- new owner until this commits: afterwards that owner sees the call.
with run as (
    select run_id from runs
    where tenant_id = $1 and run_id = $2 and fence = $3 and status = 'running'
    for share
)
insert into tool_calls
    (tenant_id, run_id, step, tool_call_id, index, name, effect, status, arguments,
    idempotency_key)
select $1, $2, $4, $5, $6, $7, $8, 'started', $9, $10
from run
on conflict (tenant_id, run_id, tool_call_id) do update set status = 'started'

-- name: record_tool_end
-- What an external call came to, before its step is recorded.
update tool_calls set status = $4, result = $5
where tenant_id = $1 and run_id = $2 and tool_call_id = $3 and status = 'started'

-- name: load_begun_calls
-- External calls of a step that was not recorded: begun by an earlier owner.
select tool_call_id, status, result from tool_calls
where tenant_id = $1 and run_id = $2 and step = $3 and effect = 'external'
    and status in ('started', 'succeeded', 'failed', 'unknown')
