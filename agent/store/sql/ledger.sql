-- name: record_request_id
-- What the server calls a call that is being answered; a settled one has it already.
update llm_calls set request_id = $3 where tenant_id = $1 and call_id = $2 and status = 'started'

-- name: lower_maximum
-- The call is asked for less than its row says: it may cost $3 at most.
update llm_calls set most_usd = $3 where tenant_id = $1 and call_id = $2

-- name: list_calls
-- A run's ledger rows in the order of the calls. {columns}: what `CallInfo` has.
select {columns}
from llm_calls where tenant_id = $1 and run_id = $2 and call_id >= plainloop_first_call($2)
order by call_id

-- name: load_token_factors
-- Reported by estimated input tokens: each model's median over the tenant's latest calls.
-- Small requests are left out: the wire's own overhead is the larger part of them.
select provider, model,
    percentile_cont(0.5) within group (order by factor)::double precision as factor
from (
    select provider, model,
        ({inputs +: coalesce(@, 0)})::double precision
            / estimated_input_tokens as factor
    from (select * from llm_calls where tenant_id = $1 order by call_id desc limit 300) as latest
    where status = 'succeeded' and usage_source = 'provider' and input_tokens is not null
        and estimated_input_tokens >= 200 and role <> 'embedding'
) as seen group by provider, model

-- name: load_output_sizes
-- What 19 of 20 of the tenant's latest answers were long at most, by model and role; what reviews
-- took in all on the average, by worker.
with latest as (
    select *, coalesce(output_tokens, 0) + coalesce(reasoning_tokens, 0) as said
    from (select * from llm_calls where tenant_id = $1 order by call_id desc limit 300) as newest
    where status = 'succeeded' and output_tokens is not null
)
select provider || ':' || model as label, role,
    percentile_disc(0.95) within group (order by said) as tokens
from latest group by provider, model, role union all
select worker, 'review', round(avg(said + {inputs +: coalesce(@, 0)}))::int
from latest where role = 'evaluator' and worker is not null group by worker

-- name: close_calls
-- Ledger rows of model calls that a run's end cut off; what they used is not known.
update llm_calls set status = 'cut', error_code = coalesce(error_code, $3)
where tenant_id = $1 and run_id = $2 and status = 'started'
    and call_id >= plainloop_first_call($2)

-- name: load_recent_threads
-- Of the tenant's latest calls of model $3 for role $4 and worker $5 ('': none), by thread and in
-- order: when each began in seconds, its input and cache-read tokens; and when the thread's latest
-- answers came. The schema is named: a replay in a sandbox of copied tables reads the real ledger.
with latest as (
    select thread_id, call_id, extract(epoch from created_at)::double precision as at,
        {inputs +: coalesce(@, 0)} as tokens, cache_read_tokens
    from (
        select * from public.llm_calls where tenant_id = $1 order by call_id desc limit 300
    ) as newest
    where provider = $2 and model = $3 and role = $4 and coalesce(worker, '') = $5
        and thread_id is not null and status = 'succeeded' and usage_source = 'provider'
)
select array_agg(at order by call_id) as called, array_agg(tokens order by call_id) as tokens,
    array_agg(cache_read_tokens order by call_id) as read,
    array(
        select at from (
            select position, extract(epoch from created_at)::double precision as at
            from public.messages
            where tenant_id = $1 and thread_id = latest.thread_id and role = 'assistant'
            order by position desc limit 30
        ) as answers
        order by position
    ) as answered
from latest group by thread_id
