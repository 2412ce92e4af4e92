-- name: list_failures
-- Runs that failed or met a limit since $2 and before $3 (null: now), by cause: the code, and the last
-- failed model call's provider, model and reason without ids; at most $4, the commonest first.
select code, provider, model, max(reason) as reason, count(*) as runs,
    count(distinct user_id) as users, min(created_at) as first_at, max(created_at) as last_at,
    (array_agg(run_id order by run_id desc))[:3]::text[] as run_ids
from (
    select runs.run_id, runs.user_id, runs.created_at, runs.error_code as code, failed.provider,
        failed.model, coalesce(failed.error_message, runs.error_message, '') as reason
    from runs
    left join lateral (
        select provider, model, error_message from llm_calls
        where llm_calls.tenant_id = $1 and llm_calls.run_id = runs.run_id
            and llm_calls.call_id >= plainloop_first_call(runs.run_id)
            and llm_calls.error_code = runs.error_code
        order by call_id desc limit 1
    ) as failed on true
    where runs.tenant_id = $1 and runs.status in ('failed', 'limit') and runs.created_at >= $2
        and ($3::timestamptz is null or runs.created_at < $3)
) as failures
group by code, provider, model, regexp_replace(reason, '[0-9a-f-]{8,}|[0-9]{4,}', '…', 'g')
order by runs desc, last_at desc limit $4
