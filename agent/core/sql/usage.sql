-- name: summarize_usage
-- The ledger of a tenant by the dimensions named in $2; a sum of unknown numbers is null, not 0.
select
    case when 'user' = any($2::text[]) then user_id end as "user",
    case when 'thread' = any($2::text[]) then thread_id::text end as thread,
    case when 'run' = any($2::text[]) then run_id::text end as run,
    case when 'node' = any($2::text[]) then node end as node,
    case when 'worker' = any($2::text[]) then worker end as worker,
    case when 'role' = any($2::text[]) then role end as role,
    case when 'provider' = any($2::text[]) then provider end as provider,
    case when 'model' = any($2::text[]) then coalesce(model_answered, model) end as model,
    case when 'status' = any($2::text[]) then status end as status,
    case when 'day' = any($2::text[])
        then to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') end as day,
    count(*)::int as calls,
    count(*) filter (where status <> 'succeeded')::int as unsuccessful_calls,
    count(*) filter (where usage_source = 'estimated')::int as estimated_calls,
    count(*) filter (where usage_source = 'missing')::int as unreported_calls,
    count(*) filter (where cost_usd is null)::int as unpriced_calls,
    sum(input_tokens)::bigint as input_tokens,
    sum(cache_read_tokens)::bigint as cache_read_tokens,
    sum(cache_write_tokens)::bigint as cache_write_tokens,
    sum(output_tokens)::bigint as output_tokens,
    sum(reasoning_tokens)::bigint as reasoning_tokens,
    sum(cost_usd) as cost_usd
from llm_calls
where tenant_id = $1
    and ($3::text is null or user_id = $3)
    and ($4::uuid is null or thread_id = $4)
    and ($5::uuid is null or run_id = $5)
    and ($6::timestamptz is null or created_at >= $6)
    and ($7::timestamptz is null or created_at < $7)
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
order by 10, coalesce(sum(input_tokens), 0) + coalesce(sum(cache_read_tokens), 0)
    + coalesce(sum(cache_write_tokens), 0) + coalesce(sum(output_tokens), 0) desc,
    1, 2, 3, 4, 5, 6, 7, 8, 9

-- name: list_avoided_calls
-- Model calls that were not made, by role and reason, and what they would have cost in input.
select avoided.value ->> 0 as role, avoided.value ->> 1 as reason, count(*)::int as calls,
    sum((avoided.value ->> 2)::int)::bigint as tokens
from steps
join runs on runs.tenant_id = $1 and runs.run_id = steps.run_id
cross join json_array_elements(steps.avoided) as avoided (value)
where steps.tenant_id = $1
    and steps.avoided is not null
    and ($2::text is null or runs.user_id = $2)
    and ($3::uuid is null or runs.thread_id = $3)
    and ($4::uuid is null or runs.run_id = $4)
    and ($5::timestamptz is null or steps.started_at >= $5)
    and ($6::timestamptz is null or steps.started_at < $6)
group by 1, 2
order by tokens desc, 1, 2
