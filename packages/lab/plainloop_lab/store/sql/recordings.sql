-- name: list_recorded_calls
-- A run's answered model calls in order, each with its request's prompt and its answer: of its
-- own row, else the thread's message. Not one whose answer came after its run had another owner:
-- of that the numbers are kept (tests/crash/test_helpers.py, stopped).
select calls.step, calls.role, calls.worker,
    -- Of a request whose prompt was erased nothing can be held to it.
    case when calls.system_hash is null or prompts.hash is not null
        then encode(calls.fingerprint, 'hex') end as fingerprint,
    calls.first_position, calls.last_position, calls.extra_messages, calls.token_factor,
    calls.provider, calls.model, calls.model_answered, calls.stop, calls.usage_source,
    {buckets: calls.@}, calls.duration_ms, calls.response, messages.parts as message_parts,
    prompts.text as system, tools.text as tools
from llm_calls as calls
left join messages
    on messages.tenant_id = calls.tenant_id and messages.thread_id = calls.thread_id
    and messages.position = calls.response_position
left join prompt_texts as prompts
    on prompts.tenant_id = calls.tenant_id and prompts.hash = calls.system_hash
left join prompt_texts as tools
    on tools.tenant_id = calls.tenant_id and tools.hash = calls.tools_hash
where calls.tenant_id = $1 and calls.run_id = $2 and calls.status = 'succeeded'
    and (calls.response is not null or calls.response_position is not null)
    and calls.call_id >= plainloop_first_call($2)
order by calls.call_id

-- name: list_thread_calls
-- The answered model calls of the threads $2 that a replay makes again, in order: those of tools are
-- not, because their results are recorded.
select runs.thread_id::text, calls.run_id::text, calls.role, calls.worker, calls.provider,
    calls.model, calls.estimated_input_tokens, {buckets: calls.@},
    extract(epoch from now() - calls.created_at)::float as age_s
from runs
join llm_calls as calls on calls.tenant_id = $1 and calls.run_id = runs.run_id
    and calls.call_id >= plainloop_first_call(runs.run_id)
where runs.tenant_id = $1 and runs.thread_id = any ($2::uuid[]) and calls.status = 'succeeded'
    and calls.role <> 'embedding' and calls.node not like '%.tools'
order by calls.call_id

-- name: list_answer_sizes
-- How long the tenant's latest answers were, in chats and replays, by model, role and thread. A
-- replay's call has no thread of its own: what it answered says which. Of these a table is made
-- first: each answer's JSON is read once.
with latest as materialized (
    select * from llm_calls where tenant_id = $1 order by call_id desc limit 3000
), bought as materialized (
    select replay_id, response ->> 'call_id' as call_id, thread_id from replay_answers
    where tenant_id = $1 and thread_id is not null
        and replay_id in (select replay_id from latest where replay_id is not null)
), calls as (
    select latest.*, coalesce(bought.thread_id, latest.thread_id, latest.replay_id) as talk
    from latest
    left join bought
        on bought.replay_id = latest.replay_id and bought.call_id = latest.call_id::text
)
select provider || ':' || model as label, role, talk::text as thread_id, count(*)::int as calls,
    avg(output_tokens + coalesce(reasoning_tokens, 0))::float as mean
from calls
where status = 'succeeded' and output_tokens is not null and role <> 'embedding'
    and talk is not null
group by 1, 2, 3

-- name: list_warm_prompts
-- When each model was called last with a worker's prompt: of what is younger than its cache lives,
-- a provider may still have the prompt.
select provider || ':' || model as label, role, coalesce(worker, '') as worker,
    extract(epoch from now() - max(created_at))::float as age_s
from (
    select * from llm_calls where tenant_id = $1 order by call_id desc limit 1000
) as latest
where status = 'succeeded'
group by provider, model, role, worker

-- name: load_options
-- What a run's client wished at last and before, the names of the tools that it brought, the
-- tool calls that the run asked it, or a person, about, and the name of the code that began it: by
-- way of JSON, since a database that is only read may not have that column yet.
select options -> 'wishes' as wishes, options -> 'wished' as wished,
    array(select tool ->> 'name' from json_array_elements(options -> 'client_tools') as tool)
        as client_tools,
    array(
        select tool_call_id from approvals where tenant_id = $1 and run_id = $2
        order by tool_call_id
    ) as asked,
    to_jsonb(runs) ->> 'parts_name' as parts_name
from runs where tenant_id = $1 and run_id = $2

-- name: load_thread_kind
-- What kind a thread is of.
select kind from threads where tenant_id = $1 and thread_id = $2

-- name: list_made
-- How the runs of these threads were made, each way once.
select distinct threads.thread_id::text, threads.kind, runs.pack, runs.design
from threads
join runs on runs.tenant_id = threads.tenant_id and runs.thread_id = threads.thread_id
where threads.tenant_id = $1 and threads.thread_id = any ($2::uuid[])

-- name: list_replay_threads
-- Threads of every kind to replay, the newest first; each condition that is null does not count.
-- $2 user, $3 since, $4 until (when it was begun), $5 a tag, $6 a worker that answered in it,
-- $7 only those with a run that did not succeed, $8 at least so much cost in USD, $9 with an answer
-- that its user rated so, $10 only those in which an answer is stored.
select threads.thread_id, threads.title
from threads
where threads.tenant_id = $1
    and exists (  -- in an empty one there is nothing to answer
        select from runs
        where runs.tenant_id = $1 and runs.thread_id = threads.thread_id
    )
    and ($2::text is null or threads.user_id = $2)
    and ($3::timestamptz is null or threads.created_at >= $3)
    and ($4::timestamptz is null or threads.created_at < $4)
    and ($5::text is null or $5 = any (threads.tags) or exists (
        select from runs
        where runs.tenant_id = $1 and runs.thread_id = threads.thread_id and $5 = any (runs.tags)
    ))
    and ($6::text is null or exists (
        select from llm_calls
        where llm_calls.tenant_id = $1 and llm_calls.thread_id = threads.thread_id
            and llm_calls.worker = $6
    ))
    and (not $7 or exists (
        select from runs
        where runs.tenant_id = $1 and runs.thread_id = threads.thread_id
            and runs.status in ('failed', 'limit', 'cancelled')
    ))
    and ($8::numeric is null or (
        select sum(llm_calls.cost_usd) from llm_calls
        where llm_calls.tenant_id = $1 and llm_calls.thread_id = threads.thread_id
    ) >= $8)
    and ($9::text is null or exists (
        select from ratings
        where ratings.tenant_id = $1 and ratings.thread_id = threads.thread_id
            and ratings.rating = $9
    ))
    and (not $10 or exists (
        select from messages
        where messages.tenant_id = $1 and messages.thread_id = threads.thread_id
            and messages.role = 'assistant'
    ))
order by threads.created_at desc, threads.thread_id desc
