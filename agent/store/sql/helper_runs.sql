-- name: hold_caller
-- The run that calls helpers, held against a new owner until this commits: afterwards that owner
-- sees them. With it comes how deep it is, 0 for nobody's helper.
select coalesce((
    select depth from helper_runs where tenant_id = $1 and helper_runs.run_id = $2
), 0) as depth
from runs where tenant_id = $1 and run_id = $2 and fence = $3 and status = 'running' for share

-- name: list_helpers
-- What a run asked of helpers, in the order in which they began, and how that stands.
select helper_runs.tool_call_id, worker, depth, helper_runs.run_id, helper_runs.thread_id, refused,
    runs.status, error_code, error_message, helper_runs.created_at, ended_at
from helper_runs
left join runs on runs.tenant_id = $1 and runs.run_id = helper_runs.run_id
where helper_runs.tenant_id = $1 and caller_run_id = $2
order by helper_runs.created_at, helper_runs.run_id

-- name: insert_helper
-- A call of a helper: the run that it began, or why it began none.
insert into helper_runs
    (tenant_id, caller_run_id, tool_call_id, caller_thread_id, user_id, worker, depth, run_id,
    thread_id, refused)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)

-- name: find_caller
-- Whose helper a run is.
select caller_run_id, caller_thread_id, tool_call_id, worker, depth, status as caller_status
from helper_runs
left join runs on runs.tenant_id = $1 and runs.run_id = caller_run_id
where helper_runs.tenant_id = $1 and helper_runs.run_id = $2

-- name: list_below
-- The helpers of a run that have not ended, and theirs.
with recursive below as (
    select run_id, thread_id, user_id from helper_runs
    where tenant_id = $1 and caller_run_id = $2 and run_id is not null
    union all
    select helper_runs.run_id, helper_runs.thread_id, helper_runs.user_id
    from below join helper_runs
        on helper_runs.tenant_id = $1 and helper_runs.caller_run_id = below.run_id
    where helper_runs.run_id is not null
)
select below.thread_id, below.user_id
from below join runs on runs.tenant_id = $1 and runs.run_id = below.run_id
where runs.status in ('queued', 'running', 'waiting')

-- name: delete_helpers
-- Of a thread that is erased: its helpers' threads, which are to go too.
delete from helper_runs where tenant_id = $1 and caller_thread_id = $2 returning thread_id
