-- name: forget_replica
-- A process that goes, and says so.
delete from replicas where owner = $1

-- name: enqueue_run
-- A run with the columns $4, which begins when those before it end; none if the thread is another's.
insert into runs
select queued.* from threads, json_populate_record(
    json_populate_record(null::runs, $4::json),
    json_build_object('tenant_id', threads.tenant_id, 'created_at', now())
) as queued
where threads.tenant_id = $1 and threads.user_id = $2 and threads.thread_id = $3 returning run_id

-- name: is_held_up
-- Whether the thread's run has begun and no process works on it: paused, lease over, or one of $3.
select exists (
    select from runs
    where tenant_id = $1 and thread_id = $2 and status = 'running'
        and (owner is null or lease_until <= now() or run_id = any($3::uuid[]))
)

-- name: load_pending_input
-- The message of a claimed run that is not in its thread yet.
select pending_input from runs
where tenant_id = $1 and run_id = $2 and fence = $3 and input_position is null for update

-- name: take_pending_input
-- The message is in the thread now, at position $4: the run begins.
update runs set input_position = $4, pending_input = null
where tenant_id = $1 and run_id = $2 and fence = $3
returning plainloop_assign($1, thread_id, run_id)

-- name: load_resume_point
-- Where a claimed run goes on, if its fence holds: its next step, last stored event, how long its
-- steps took, the thread's kind, and what it began with. Nobody claims it until this commits.
select threads.kind, row_to_json(runs) as begun, plainloop_load_canary($1, $2) as canary_id,
    (select coalesce(max(n) + 1, 0) from steps where tenant_id = $1 and run_id = $2) as next_step,
    (
        select coalesce(sum(duration_ms), 0) from steps where tenant_id = $1 and run_id = $2
    )::int as used_ms,
    coalesce(greatest(
        (select max(last_seq) from run_events where tenant_id = $1 and run_id = $2),
        (select max(last_seq) from steps where tenant_id = $1 and run_id = $2)
    ), 0) as last_seq
from runs
join threads on threads.tenant_id = $1 and threads.thread_id = runs.thread_id
where runs.tenant_id = $1 and runs.run_id = $2 and runs.fence = $3 for share of runs

-- name: list_cancel_requests
-- Runs of one process that somebody asked to stop.
select run_id from runs where owner = $1 and status in ('running', 'waiting') and cancel_requested

-- name: end_transactions
-- Those of the sessions that call themselves $1.
select pg_terminate_backend(pid) from pg_stat_activity
where application_name = $1 and pid <> pg_backend_pid()

-- name: end_queued_run
-- A run that never began.
update runs set status = 'cancelled', error_code = $3, error_message = $4, ended_at = now()
where tenant_id = $1 and run_id = $2 and status = 'queued'

-- name: record_tool_start
-- An external call that is about to be made, if the fence holds. The run's row is held against a
-- new owner until this commits: afterwards that owner sees the call.
with run as (
    select run_id from runs
    where tenant_id = $1 and run_id = $2 and fence = $3 and status = 'running' for share
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
