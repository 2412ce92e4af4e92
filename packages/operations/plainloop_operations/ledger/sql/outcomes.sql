-- name: count_outcomes
-- Messages to chats from $2 to $3 (nulls: at any time), of user $4 or all, by how their run ended.
-- Experiments, helpers and files that were read are no messages of people.
select runs.status, count(*) as messages
from runs join threads using (tenant_id, thread_id)
where runs.tenant_id = $1 and threads.kind in ('chat', 'onboarding')
    and ($2::timestamptz is null or runs.created_at >= $2)
    and ($3::timestamptz is null or runs.created_at < $3)
    and ($4::text is null or runs.user_id = $4)
group by runs.status order by runs.status

-- name: list_unanswered
-- Of the same runs those that failed or reached a limit, the newest $5.
select runs.run_id, runs.user_id, runs.created_at, runs.status
from runs join threads using (tenant_id, thread_id)
where runs.tenant_id = $1 and threads.kind in ('chat', 'onboarding')
    and runs.status in ('failed', 'limit')
    and ($2::timestamptz is null or runs.created_at >= $2)
    and ($3::timestamptz is null or runs.created_at < $3)
    and ($4::text is null or runs.user_id = $4)
order by runs.created_at desc limit $5

-- name: count_deleted_threads
-- Threads whose cost is in the ledger and which were deleted. Of the newest hours, whose calls are
-- not added up yet, a deleted thread's id is gone: together these count as one.
select count(distinct sums.thread_id) + (
    select count(*) from (
        select from llm_calls
        where tenant_id = $1 and thread_id is null and replay_id is null and node <> role
            and created_at >= coalesce((select rolled_until from usage_rolled), '-infinity')
            and ($2::timestamptz is null or created_at >= $2)
            and ($3::timestamptz is null or created_at < $3)
            and ($4::text is null or user_id = $4)
        limit 1
    ) as newest
)
from usage_runs as sums left join threads using (tenant_id, thread_id)
where sums.tenant_id = $1 and sums.origin = 'own' and threads.thread_id is null
    and ($2::timestamptz is null or sums.hour >= $2)
    and ($3::timestamptz is null or sums.hour < $3)
    and ($4::text is null or sums.user_id = $4)
