-- name: save_metadata
-- Add to what is noted down of $3, a thread's id or that of one of its runs; $2 is the thread.
insert into client_metadata (tenant_id, thread_id, id, metadata) values ($1, $2, $3, $4)
on conflict (tenant_id, id) do update set metadata = client_metadata.metadata || excluded.metadata

-- name: load_metadata
-- What is noted down of threads and runs.
select id, metadata from client_metadata where tenant_id = $1 and id = any($2::uuid[])

-- name: search_threads
-- A page of a user's conversations, under their clients' names ($3), with what is noted down of
-- them, or $4 where nothing is; a thread whose name means a branch of it by now is not among them.
-- $5: metadata that it must have; $6: its status; $7: its names.
with found as (
    select threads.thread_id, threads.created_at, threads.updated_at,
        threads.next_position as messages,
        coalesce(names.name, threads.thread_id::text) as name,
        $4::jsonb || coalesce(noted.metadata, '{}') as metadata,
        case
            when last.status in ('queued', 'running') then 'busy'
            when last.status = 'waiting' then 'interrupted'
            when last.status in ('failed', 'limit') then 'error'
            else 'idle'
        end as status
    from threads
    left join lateral (
        select name from client_threads
        where tenant_id = $1 and user_id = $2 and space = $3 and position is null
            and client_threads.thread_id = threads.thread_id
        order by created_at desc
        limit 1
    ) as names on true
    left join client_metadata as noted
        on noted.tenant_id = $1 and noted.id = threads.thread_id
    left join lateral (
        -- A thread's runs are named by its messages; there is no index of them.
        select status from (
            (
                select runs.status, runs.created_at
                from messages join runs on runs.tenant_id = $1 and runs.run_id = messages.run_id
                where messages.tenant_id = $1 and messages.thread_id = threads.thread_id
                    and role = 'user'
                order by position desc
                limit 1
            )
            union all
            select runs.status, runs.created_at from runs
            where tenant_id = $1 and runs.thread_id = threads.thread_id and status = 'queued'
        ) as newest
        order by created_at desc
        limit 1
    ) as last on true
    where threads.tenant_id = $1 and threads.user_id = $2 and threads.kind = 'chat'
        and not exists (
            select from client_threads as moved
            where moved.tenant_id = $1 and moved.user_id = $2 and moved.space = $3
                and moved.name = threads.thread_id::text
                and moved.thread_id <> threads.thread_id
        )
)
select thread_id, created_at, updated_at, messages, name, metadata, status,
    count(*) over () as total
from found
cross join lateral (
    select case $9 when 'created_at' then created_at else updated_at end as at,
        case $9 when 'thread_id' then name when 'status' then status end as word
) as sorted
where ($5::jsonb is null or metadata @> $5::jsonb)
    and ($6::text is null or status = $6)
    and ($7::text[] is null or name = any($7))
order by case when $8 = 'asc' then word end, case when $8 = 'desc' then word end desc,
    case when $8 = 'asc' then at end, case when $8 = 'desc' then at end desc, thread_id
limit $10 offset $11
