-- name: take_run_slot
-- Whether the user $2 has fewer than $3 open runs; nobody else begins one for them until the end.
select plainloop_take_run_slot($1, $2, $3)

-- name: load_begun
-- What `insert_run` gave when it began the run $2 of the owner $3.
select input_position as position, data, plainloop_load_canary($1, $2) as canary_id
from runs join threads using (tenant_id, thread_id)
where runs.tenant_id = $1 and run_id = $2 and owner = $3

-- name: load_unfinished_runs
-- The thread's run in progress, with $3 also its queue; locked. `is_expired` by the database's clock.
-- Each half has its own index: one list of statuses would read all the tenant's runs.
select tenant_id, run_id, status, owner, fence, attempt, user_id, thread_id, design, pack,
    input_position, coalesce(lease_until < now(), false) as is_expired
from runs
where tenant_id = $1 and thread_id = $2
    and (status in ('running', 'waiting') or $3 and status = 'queued')
order by status = 'queued', created_at, run_id for update

-- part: info
-- Runs as lists and pages show them.
select run_id, thread_id, user_id, status, design, pack, attempt, input_position,
    error_code, error_message, notes, created_at, ended_at

-- name: load_run
-- A run; of any user of the tenant when $3 is null.
{info} from runs
where tenant_id = $1 and run_id = $2 and ($3::text is null or user_id = $3)

-- name: load_run_by_key
-- The run that an idempotency key started.
{info}, request_hash from runs
where tenant_id = $1 and idempotency_key = $2 and user_id = $3

-- name: list_runs
-- A thread's runs, oldest first: those that its messages name, and the queued ones.
{info} from runs
where tenant_id = $1 and run_id in (
    select messages.run_id from messages
    where messages.tenant_id = $1 and messages.thread_id = $2 and messages.role = 'user'
)
union all
{info} from runs
where tenant_id = $1 and thread_id = $2 and status = 'queued' order by created_at, run_id

-- name: end_run
-- End a run outside a step; $8 adds to the fence, so that an owner that wakes up is shut out.
-- `for update`: a ledger row whose statement is still on its way (a cancelled call's, say) is waited
-- for, and closed with the rest, or it comes too late and is not written.
with held as (
    select run_id from runs
    where tenant_id = $1 and run_id = $2 and fence = $3 and status in ('running', 'waiting')
    for update
)
update runs
set status = $4, error_code = $5, error_message = $6, notes = $7, ended_at = now(),
    fence = fence + $8, owner = null, lease_until = null
from held where tenant_id = $1 and runs.run_id = held.run_id returning runs.run_id

-- name: list_outside_calls
-- Tools of which a call may have had an effect that no rollback undoes: external ones that had
-- started, and those that a client was given to run.
select name from tool_calls
where tenant_id = $1 and run_id = $2 and effect = 'external' and status in ('started', 'unknown')
union
select tool_name from approvals where tenant_id = $1 and run_id = $2 and is_client

-- name: close_tool_calls
-- Tool calls that a run's end cut off: an external one that had started may have happened.
update tool_calls
set status = case
    when status = 'started' and effect = 'external' then 'unknown' else 'interrupted'
end
where tenant_id = $1 and run_id = $2 and status in ('planned', 'approval', 'started')

-- name: has_step
-- Whether a step is recorded, and the fence $4 holds: one of another owner is not what we wrote.
select n from steps join runs using (tenant_id, run_id)
where tenant_id = $1 and run_id = $2 and n = $3 and fence = $4

-- name: load_steps
-- A run's steps in order.
select n, node, update, next_node, first_position, last_position, avoided, notes, started_at,
    duration_ms
from steps where tenant_id = $1 and run_id = $2 order by n

-- name: record_tool_calls
-- Insert tool calls, or set how they stand now.
insert into tool_calls
    (tenant_id, run_id, step, tool_call_id, index, name, effect, status, arguments,
    duration_ms, idempotency_key, receipt, started_at)
select $1, $2, $3, tool_call_id, index, name, effect, status, arguments, duration_ms,
    idempotency_key, receipt, started_at
from json_populate_recordset(null::tool_calls, $4::json)
on conflict (tenant_id, run_id, tool_call_id) do update
set step = excluded.step, status = excluded.status, duration_ms = excluded.duration_ms,
    receipt = excluded.receipt, started_at = excluded.started_at

-- name: load_cut_result
-- All of the newest result of this tool in the thread that was cut; $4: so many before it.
select receipt -> 'whole' as whole
from tool_calls join runs using (tenant_id, run_id)
where tenant_id = $1 and name = $3 and receipt -> 'whole' is not null and run_id in (
    select messages.run_id from messages where messages.tenant_id = $1 and messages.thread_id = $2
)
order by created_at desc, run_id desc, step desc, index desc offset $4 limit 1

-- name: list_tool_calls
-- A run's tool calls in the order in which they were asked for.
select step, tool_call_id, index, name, effect, status, arguments, result,
    coalesce(duration_ms, 0) as duration_ms, receipt, started_at, coalesce(
        nullif(idempotency_key, ''), concat_ws(':', run_id, step, tool_call_id)
    ) as idempotency_key
from tool_calls where tenant_id = $1 and run_id = $2 order by step, index

-- name: request_cancel
-- Ask the run's owner, wherever it runs, to stop.
update runs set cancel_requested = true
where tenant_id = $1 and run_id = $2 and status in ('queued', 'running', 'waiting')
