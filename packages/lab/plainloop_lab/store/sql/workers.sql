-- name: list_worker_usage
-- What workers' answers took since $2, by worker and by the model and effort that answered.
select worker, provider, model, effort, count(*) as calls,
    count(distinct thread_id) as threads,
    sum(coalesce(input_tokens, 0) + coalesce(cache_read_tokens, 0) + coalesce(cache_write_tokens, 0)
        + coalesce(cache_write_long_tokens, 0))::bigint as input_tokens,
    sum(coalesce(output_tokens, 0) + coalesce(reasoning_tokens, 0))::bigint as output_tokens,
    sum(cost_usd) as cost_usd, count(*) filter (where cost_usd is null) as unpriced
from llm_calls
where tenant_id = $1 and created_at >= $2 and replay_id is null and status = 'succeeded'
    and role = 'worker' and worker is not null
group by worker, provider, model, effort
order by worker, count(*) desc, provider, model, effort

-- name: list_worker_threads
-- The newest threads in which the worker $2 answered, at most $3: how many turns they have, how
-- their user rated them, and what the user said first.
select chosen.thread_id, chosen.title,
    (
        select count(*) from runs
        where runs.tenant_id = $1 and runs.thread_id = chosen.thread_id
    ) as turns,
    (
        select min(ratings.rating) from ratings
        where ratings.tenant_id = $1 and ratings.thread_id = chosen.thread_id
    ) as rating
from (
    select threads.thread_id, threads.title from threads
    where threads.tenant_id = $1 and exists (
        select from llm_calls
        where llm_calls.tenant_id = $1 and llm_calls.thread_id = threads.thread_id
            and llm_calls.worker = $2 and llm_calls.replay_id is null
            and llm_calls.status = 'succeeded'
    )
    order by threads.created_at desc, threads.thread_id desc
    limit $3
) as chosen
