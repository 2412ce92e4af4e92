-- name: park_run
-- Suspend the run without an owner; claimable when the first request expires, or at once to stop it.
update runs
set status = 'waiting', owner = null,
    lease_until = case
        when cancel_requested then now()
        else (
            select min(expires_at) from approvals
            where tenant_id = $1 and run_id = $2 and status = 'pending'
        )
    end
where tenant_id = $1 and run_id = $2 and fence = $3 and status = 'running' returning run_id

-- name: insert_approvals
-- Ask for decisions; a call that was asked about before is not asked about again.
insert into approvals
    (tenant_id, approval_id, run_id, thread_id, user_id, tool_call_id, tool_name, arguments,
    arguments_hash, question, is_client, status, expires_at)
select $1, approval_id, $2, $3, $4, tool_call_id, tool_name, arguments, arguments_hash, question,
    is_client, 'pending', now() + make_interval(secs => $5)
from json_populate_recordset(null::approvals, $6::json)
on conflict (tenant_id, run_id, tool_call_id) do nothing

-- name: expire_approvals
-- Nobody decided in time; $3: nor can any be decided or used more, as the run has ended.
update approvals set status = 'expired'
where tenant_id = $1 and run_id = $2
    and (status = 'pending' and expires_at <= now() or $3 and status in ('pending', 'approved'))

-- part: shown
-- Approvals as every list shows them.
select approval_id, run_id, thread_id, user_id, tool_call_id, tool_name, arguments,
    arguments_hash, coalesce(question, tool_name || ' ' || arguments::text) as question,
    case when status = 'pending' and expires_at <= now() then 'expired' else status end as status,
    decided_by, decided_at, expires_at, created_at

-- part: is_asked_here
-- A person is asked, and not in place of a helper's caller.
not is_client
    and not exists (
        select from helper_runs
        where helper_runs.tenant_id = $1 and helper_runs.run_id = approvals.run_id
    )

-- part: inbox
-- What user $2, or everybody without one, is asked or was asked.
{shown}, reason, (
        select title from threads
        where threads.tenant_id = $1 and threads.thread_id = approvals.thread_id
    ) as title
from approvals where tenant_id = $1 and ($2::text is null or user_id = $2) and {is_asked_here}

-- name: list_approvals
-- A run's approvals in the order in which they were asked for.
{shown}, is_client, answer, reason
from approvals where tenant_id = $1 and run_id = $2 order by approval_id

-- name: find_approvals
-- Those of a user that codes name, whatever became of them, in the order in which they were asked.
{shown}
from approvals
where tenant_id = $1 and user_id = $2 and right(approval_id::text, 12) = any($3::text[])
    and {is_asked_here}
order by approval_id

-- name: list_pending
-- What waits for a decision; what expires first is first.
{inbox} and status = 'pending' and expires_at > now()
order by expires_at, approval_id limit $3

-- name: list_decided
-- What waits no more; newest question first.
{inbox} and (status <> 'pending' or expires_at <= now())
order by approval_id desc limit $3

-- name: decide_approval
-- A person's decision, and the form that they filled in, if there is none yet and time is left.
update approvals set status = $5, decided_by = $6, decided_at = now(), reason = $7, answer = $8
where tenant_id = $1 and user_id = $2 and run_id = $3 and approval_id = $4
    and status = 'pending' and expires_at > now() and not is_client

-- name: decide_above
-- The same decision on the question $2 of the caller of the helper's run $3.
update approvals set status = $4, decided_by = $5, decided_at = now(), reason = $6, answer = $7
where tenant_id = $1 and approval_id = $2 and status = 'pending' and expires_at > now()
    and run_id = (select caller_run_id from helper_runs where tenant_id = $1 and run_id = $3)
returning run_id

-- name: answer_client_call
-- What a call of the client's own tool gave, said once and in time.
update approvals set status = 'approved', answer = $5, decided_by = $2, decided_at = now()
where tenant_id = $1 and user_id = $2 and run_id = $3 and tool_call_id = $4
    and status = 'pending' and expires_at > now() and is_client

-- name: wake_run
-- All is decided: the run can be claimed at once.
update runs set lease_until = now()
where tenant_id = $1 and run_id = $2 and status = 'waiting'
    and not exists (
        select from approvals
        where tenant_id = $1 and run_id = $2 and status = 'pending' and expires_at > now()
    )

-- name: consume_approval
-- Use an approval for the very call that it was given for; only once.
update approvals set status = 'consumed'
where tenant_id = $1 and run_id = $2 and tool_call_id = $3 and status = 'approved'
    and tool_name = $4 and arguments_hash = $5
