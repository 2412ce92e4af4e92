-- name: list_worker_usage
-- What model calls took since $2, by role, worker and the model and effort that answered; of the
-- user $3 (null: of all). A call of a role other than `worker` may name the package that made it.
select role, worker, provider, model, effort, count(*) as calls,
    count(distinct thread_id) as threads,
    sum(coalesce(input_tokens, 0) + coalesce(cache_read_tokens, 0) + coalesce(cache_write_tokens, 0)
        + coalesce(cache_write_long_tokens, 0))::bigint as input_tokens,
    sum(coalesce(output_tokens, 0) + coalesce(reasoning_tokens, 0))::bigint as output_tokens,
    sum(cost_usd) as cost_usd, count(*) filter (where cost_usd is null) as unpriced
from llm_calls
where tenant_id = $1 and created_at >= $2 and replay_id is null and status = 'succeeded'
    and (role <> 'worker' or worker is not null) and ($3::text is null or user_id = $3)
group by role, worker, provider, model, effort
order by role, worker, count(*) desc, provider, model, effort

-- name: list_worker_threads
-- The newest threads (of the user $4; null: of all) in which a model answered for the role $5 and the
-- worker $2 (null: of no worker), at most $3: how many turns they have, how their user rated them,
-- and what the user said first.
with chosen as (
    select threads.thread_id, threads.title from threads
    where threads.tenant_id = $1 and ($4::text is null or threads.user_id = $4) and exists (
        select from llm_calls
        where llm_calls.tenant_id = $1 and llm_calls.thread_id = threads.thread_id
            and llm_calls.worker is not distinct from $2 and llm_calls.role = $5
            and llm_calls.replay_id is null and llm_calls.status = 'succeeded'
    )
    order by threads.created_at desc, threads.thread_id desc
    limit $3
), counted as (  -- in one pass: there is no index of runs by thread
    select runs.thread_id, count(*) as turns
    from runs
    where runs.tenant_id = $1 and runs.thread_id in (select chosen.thread_id from chosen)
    group by runs.thread_id
)
select chosen.thread_id, chosen.title, coalesce(counted.turns, 0) as turns,
    (
        select min(ratings.rating) from ratings
        where ratings.tenant_id = $1 and ratings.thread_id = chosen.thread_id
    ) as rating
from chosen
left join counted on counted.thread_id = chosen.thread_id

-- name: count_worker_runs
-- Runs since $2 in which the model $4 of the provider $3 at the effort $5 (null: any, or with $9
-- none) answered for the role $7 and the worker $6 (null: of no worker), of the user $8 (null: of
-- all), how many of them did not end well, and what the model's calls cost, where each has a price.
select count(*) as runs, count(*) filter (where runs.status in ('failed', 'limit')) as failed,
    coalesce(sum(answered.calls), 0)::bigint as calls,
    case when bool_and(answered.is_priced) then sum(answered.cost_usd) end as cost_usd,
    min(answered.first_at) as first_at
from (
    select run_id, count(*) as calls, sum(cost_usd) as cost_usd, min(created_at) as first_at,
        bool_and(cost_usd is not null) as is_priced
    from llm_calls
    where tenant_id = $1 and created_at >= $2 and provider = $3 and model = $4
        and (effort is not distinct from $5 or ($5::text is null and not $9))
        and worker is not distinct from $6 and role = $7 and ($8::text is null or user_id = $8)
        and replay_id is null and run_id is not null and status = 'succeeded'
    group by run_id
) as answered
join runs on runs.tenant_id = $1 and runs.run_id = answered.run_id
where runs.status in ('succeeded', 'failed', 'limit')
