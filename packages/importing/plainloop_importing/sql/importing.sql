-- name: date_rows
-- Give a conversation's rows the times of then: of thread $2 and its runs ($3), of messages by
-- place ($4).
with dated_thread as (
    update threads set created_at = coalesce($5, created_at), updated_at = coalesce($6, updated_at)
    where tenant_id = $1 and thread_id = $2
), dated_messages as (
    update messages set created_at = new.at
    from json_to_recordset($4::json) as new (position int, at timestamptz)
    where messages.tenant_id = $1 and messages.thread_id = $2
        and messages.position = new.position
)
update runs
set created_at = new.at, ended_at = case when runs.ended_at is null then null else new.ended_at end
from json_to_recordset($3::json) as new (run_id uuid, at timestamptz, ended_at timestamptz)
where runs.tenant_id = $1 and runs.run_id = new.run_id

-- name: date_call
-- Give a call the time of then, before it is settled: budgets count it in its own period.
update llm_calls set created_at = $3 where tenant_id = $1 and call_id = $2

-- name: forget_blanked
-- Calls of a conversation that was imported, and erased since: only their numbers had stayed.
delete from llm_calls
where tenant_id = $1 and call_id = any($2::uuid[]) and run_id is null and thread_id is null

-- name: list_known_calls
-- Which of these calls are in the ledger.
select call_id from llm_calls where tenant_id = $1 and call_id = any($2::uuid[])

-- name: find_run
-- The run that a message asked for.
select run_id from messages
where tenant_id = $1 and thread_id = $2 and position = $3

-- name: reopen_run
-- An imported turn goes on where it was imported from; nobody has asked for anything after it.
update runs set status = 'running', ended_at = null, error_code = null, error_message = null
where tenant_id = $1 and run_id = $2

-- name: is_name_of_another
-- Whether the thread $2 is another conversation's than the one with the answers $4, which is in
-- thread $3, or will be.
select exists (select from threads where tenant_id = $1 and thread_id = $3) or (
    exists (select from threads where tenant_id = $1 and thread_id = $2)
    and not exists (
        select from imported_responses where tenant_id = $1 and response_id = any($4::text[])
    )
)

-- name: list_known_responses
-- Which of these answers ($2) are calls of the ledger, by their provider's ids, and when they were
-- made.
select known.response_id, known.call_id, calls.created_at
from imported_responses as known
join llm_calls as calls on calls.tenant_id = known.tenant_id and calls.call_id = known.call_id
where known.tenant_id = $1 and known.response_id = any($2::text[])

-- name: save_responses
-- Keep by which calls ($2: response_id, call_id) answers are known.
insert into imported_responses as known (tenant_id, response_id, call_id)
select $1, new.response_id, new.call_id
from json_to_recordset($2::json) as new (response_id text, call_id uuid)
on conflict (tenant_id, response_id) do update set call_id = excluded.call_id
where known.call_id <> excluded.call_id
