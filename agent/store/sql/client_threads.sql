-- name: find_client_thread
-- What a client's name of a conversation or message means; nothing when the thread is gone.
select names.thread_id, names.position
from client_threads as names
join threads
    on threads.tenant_id = $1 and threads.thread_id = names.thread_id and threads.user_id = $2
where names.tenant_id = $1 and names.user_id = $2 and names.space = $3 and names.name = $4

-- name: save_client_thread
-- What a name means from now on.
insert into client_threads (tenant_id, user_id, space, name, thread_id, position)
values ($1, $2, $3, $4, $5, $6)
on conflict (tenant_id, user_id, space, name) do update
set thread_id = excluded.thread_id, position = excluded.position, created_at = now()

-- name: save_end
-- What was said up to the end of run $6 in its thread $5 is named $4 and the thread's id, so that
-- equal conversations do not take each other's names.
insert into client_threads (tenant_id, user_id, space, name, thread_id, position)
select $1, $2, $3, $4 || replace($5::uuid::text, '-', ''), $5, max(position) + 1
from messages
where tenant_id = $1 and thread_id = $5 and run_id = $6
having count(*) > 0
on conflict (tenant_id, user_id, space, name) do update
set position = excluded.position, created_at = now()

-- name: find_end
-- A thread in which all was said that the name $4 stands for, and where that ends: one in which
-- nothing followed before others, and with $5 one in which a run waits. Of equals any: two that ask
-- at once seldom get the same.
select names.thread_id, names.position
from (
    select thread_id, position from client_threads
    where tenant_id = $1 and user_id = $2 and space = $3
        and name between $4 || repeat('0', 32) and $4 || repeat('f', 32)
    order by name desc
    limit 100
) as names
join threads on threads.tenant_id = $1 and threads.thread_id = names.thread_id
    and threads.user_id = $2
left join lateral (
    select status from runs
    where tenant_id = $1 and runs.thread_id = names.thread_id
        and status in ('running', 'waiting', 'queued')
    order by status desc
    limit 1
) as active on true
order by case
    when $5 then active.status is not distinct from 'waiting'
    else threads.next_position = names.position and active.status is null
end desc, random()
limit 1

-- name: fork_thread
-- A new thread $4 that begins with the user's thread $3 up to, without, position $5.
with old as (
    select thread_id, user_id, pack, kind, title, tags, data,
        (
            select coalesce(max(tokens_before + tokens), 0) from messages
            where tenant_id = $1 and thread_id = $3 and position < $5
        ) as total_tokens
    from threads
    where tenant_id = $1 and user_id = $2 and thread_id = $3 and next_position >= $5
), copied as (
    -- Of no run: a run's rows are those of the thread in which it was made.
    insert into messages
        (tenant_id, thread_id, position, role, parts, tokens, tokens_before, created_at)
    select $1, $4, position, role, parts, tokens, tokens_before, created_at
    from old
    join messages on messages.tenant_id = $1 and messages.thread_id = old.thread_id
    where position < $5
)
insert into threads
    (tenant_id, thread_id, user_id, pack, kind, title, tags, next_position, total_tokens, data,
    forked_from)
select $1, $4, user_id, pack, kind, title, tags, $5, total_tokens, data, $3 from old
returning thread_id, user_id, title, pack, kind, next_position as messages, data,
    created_at, updated_at

-- name: list_names
-- The names of a thread's messages.
select position, name from client_threads
where tenant_id = $1 and user_id = $2 and space = $3 and thread_id = $4
    and position is not null
