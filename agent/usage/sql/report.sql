-- name: load_rolled_until
-- Up to when the ledger is added up by hours; null: not at all yet.
select rolled_until from usage_rolled

-- name: lock_rolled_until
-- The same for who is about to go on with it, one at a time; $1: where to begin.
insert into usage_rolled (rolled_until) values ($1)
on conflict (is_only) do update set rolled_until = usage_rolled.rolled_until
returning rolled_until

-- name: find_first_hour
-- Where adding up begins; null: there is nothing yet.
select date_bin('1 hour', least(
    (select min(created_at) from llm_calls), (select min(started_at) from steps)
), '2000-01-01Z')

-- name: find_open_hour
-- Where adding up stops: the last whole hour, or before one with an open call. A call that is
-- open for a day will not be settled any more. $1: what is before it is added up already.
select date_bin('1 hour', least(
    now() - interval '1 hour',
    (
        select min(created_at) from llm_calls
        where status = 'started' and created_at >= $1::timestamptz
            and created_at > now() - interval '1 day'
    )
), '2000-01-01Z')

-- name: set_rolled_until
-- Hours before $1 are added up.
update usage_rolled set rolled_until = $1

-- name: delete_sums
-- Forget what is added up in {table} of the tenant $1 from $2 to $3, to do it again.
delete from {table} where tenant_id = $1 and {time} >= $2 and {time} < $3

-- name: roll_avoided
-- Add up the calls that steps begun in $1 to $2 did not make, of the tenant $3 (null: of all).
insert into usage_avoided (tenant_id, hour, user_id, role, reason, calls, tokens)
select steps.tenant_id, date_bin('1 hour', steps.started_at, '2000-01-01Z'), runs.user_id,
    avoided.value ->> 0, avoided.value ->> 1, count(*), sum((avoided.value ->> 2)::bigint)
from steps
join runs on runs.tenant_id = steps.tenant_id and runs.run_id = steps.run_id
cross join json_array_elements(steps.avoided) as avoided (value)
where steps.started_at >= $1 and steps.started_at < $2 and steps.avoided is not null
    and ($3::text is null or steps.tenant_id = $3) group by 1, 2, 3, 4, 5

-- name: list_avoided_calls
-- Model calls that were not made, by role and reason, and what they would have cost in input.
-- Parameters as in dimensions.py; $6 user, $7 thread, $8 run, $9 chat.
select role, reason, sum(calls)::bigint as calls, sum(tokens)::bigint as tokens
from (
    select role, reason, calls, tokens from usage_avoided
    where ($1::text is null or tenant_id = $1) and ($6::text is null or user_id = $6)
        and (
            hour >= $4 and hour < $5
            -- Of newer hours it has the calls of deleted chats.
            or coalesce($7::uuid, $8::uuid, $9::uuid) is null and hour >= $2 and hour < $3
            and hour >= coalesce((select rolled_until from usage_rolled), '-infinity')
        )
    union all
    select avoided.value ->> 0, avoided.value ->> 1, 1, (avoided.value ->> 2)::bigint
    from steps
    join runs on runs.tenant_id = steps.tenant_id and runs.run_id = steps.run_id
    cross join json_array_elements(steps.avoided) as avoided (value)
    where ($1::text is null or steps.tenant_id = $1) and steps.avoided is not null
        and (
            steps.started_at >= $2 and steps.started_at < $4
            or steps.started_at >= $5 and steps.started_at < $3
        )
        and ($6::text is null or runs.user_id = $6)
        and ($7::uuid is null or runs.thread_id = $7) and ($8::uuid is null or runs.run_id = $8)
        and ($9::uuid is null or runs.thread_id = any (array(
            select kin.thread_id from threads as kin
            left join threads as one on one.tenant_id = $1 and one.thread_id = $9
            where kin.tenant_id = $1 and (
                kin.thread_id in ($9, one.family) or kin.family = coalesce(one.family, $9)
            )
        )))
) as avoided group by 1, 2 order by tokens desc, 1, 2

-- name: list_role_models
-- The model that answered most of each role's calls, to say what avoided ones would have cost.
select distinct on (role) role, provider, model
from (
    select role, provider, model, sum(calls) as calls
    from (
        select role, provider, model, calls from usage_hours
        where ($1::text is null or tenant_id = $1) and hour >= $4 and hour < $5
        union all
        select role, provider, coalesce(model_answered, model), 1 from llm_calls
        where ($1::text is null or tenant_id = $1)
            and (created_at >= $2 and created_at < $4 or created_at >= $5 and created_at < $3)
    ) as seen group by 1, 2, 3
) as counted
order by role, calls desc, provider, model

-- name: sum_caches
-- Per group and model: tokens in caches, and tokens sent again although a cache had held them
-- (`lost`). These are told apart by the bucket that they were paid in, by how many lifetimes the
-- pause before was longer than, and by whether the longer lifetime was requested before. Prompts
-- below 512 tokens are cached by no provider. Where the request begins with another prompt, other
-- tools or another message than the one before, no pause is the cause: it counts as none.
select {names}of_provider, of_model, was_long, width_bucket(pause_s, array[{lifetimes}]) as pauses,
    case
        when cache_write_long_tokens > 0 then 'cache_write_long_tokens'
        when cache_write_tokens > 0 then 'cache_write_tokens' else 'input_tokens'
    end as paid_as,
    {inputs: sum(@)::bigint as @},
    sum(again - cache_read_tokens) filter (
        where again - cache_read_tokens >= 512 and before >= 1024
    )::bigint as lost
from (
    select *, least(sent, before) as again from (
        select {keys}provider as of_provider, coalesce(model_answered, model) as of_model,
            {inputs: @}, {inputs +: coalesce(@, 0)} as sent,
            case when thread_id is not null
                then lag({inputs +: coalesce(@, 0)}) over calls end as before,
            case when (tools_hash, system_hash, first_position) is distinct from (
                lag(tools_hash) over calls, lag(system_hash) over calls,
                lag(first_position) over calls
            ) then 0
            else extract(epoch from created_at - lag(created_at) over calls)::double precision
            end as pause_s,
            coalesce(lag(cache_write_long_tokens) over calls, 0) > 0 as was_long
        from {source} where {conditions} and status = 'succeeded' and usage_source = 'provider'
        window calls as (
            partition by tenant_id, thread_id, provider, model, role, worker order by call_id
        )
    ) as compared
) as seen{only} group by {places}
