-- name: list_tasks
-- The runs of a user's conversations (of the thread $3, if it is not null) that last changed their
-- state at or after $4 (null: at any time), the latest change first. A run that waits for its user
-- changed when it asked.
with own as (
    select thread_id from threads
    where tenant_id = $1 and user_id = $2 and kind not in ('parse', 'helper')
        and ($3::uuid is null or thread_id = $3)
), tasks as (
    select runs.run_id, runs.status, runs.error_code, runs.created_at, runs.ended_at
    from (
        select distinct messages.run_id
        from own join messages on messages.tenant_id = $1 and messages.thread_id = own.thread_id
        where messages.role = 'user'
    ) as named
    join runs on runs.tenant_id = $1 and runs.run_id = named.run_id
    union all
    select runs.run_id, runs.status, runs.error_code, runs.created_at, runs.ended_at
    from own
    join runs on runs.tenant_id = $1 and runs.thread_id = own.thread_id and runs.status = 'queued'
)
select tasks.run_id, tasks.status, tasks.error_code
from tasks
cross join lateral (
    select coalesce(
        case when tasks.status = 'waiting' then (
            select max(approvals.created_at) from approvals
            where approvals.tenant_id = $1 and approvals.run_id = tasks.run_id
        ) else tasks.ended_at end,
        tasks.created_at
    ) as changed_at
) as changes
where $4::timestamptz is null or changed_at >= $4
order by changed_at desc, tasks.created_at desc, tasks.run_id
