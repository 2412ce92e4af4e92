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

-- name: fork_thread
-- A new thread $4 that begins with the user's thread $3 up to, without, position $5.
with old as (
    select thread_id, user_id, pack, kind, title, tags, labels, is_pinned, data, model, family,
        (
            select coalesce(max(tokens_before + tokens), 0) from messages
            where tenant_id = $1 and thread_id = $3 and position < $5
        ) as total_tokens
    from threads where tenant_id = $1 and user_id = $2 and thread_id = $3 and next_position >= $5
), copied as (
    -- Of no run: a run's rows are those of the thread in which it was made.
    insert into messages
        (tenant_id, thread_id, position, role, parts, tokens, tokens_before, created_at)
    select $1, $4, position, role, parts, tokens, tokens_before, created_at
    from old
    join messages on messages.tenant_id = $1 and messages.thread_id = old.thread_id
    where position < $5
), named as (
    -- The branch's messages keep their clients' ids: a thread's id ends each space of its messages.
    insert into client_threads (tenant_id, user_id, space, name, thread_id, position)
    select $1, $2, split_part(space, ':', 1) || ':' || $4::uuid::text, name, $4, names.position
    from old
    join client_threads as names
        on names.tenant_id = $1 and names.user_id = $2 and names.thread_id = old.thread_id
    where names.position < $5 and split_part(space, ':', 1) like '%.message'
    on conflict do nothing
)
insert into threads
    (tenant_id, thread_id, user_id, pack, kind, title, tags, labels, is_pinned, next_position,
    total_tokens, data, model, forked_from, forked_at, family)
select $1, $4, user_id, pack, kind, title, tags, labels, is_pinned, $5, total_tokens, data, model,
    $3, $5, coalesce(family, $3)
from old
returning thread_id, user_id, title, pack, kind, next_position as messages, data, model,
    created_at, updated_at

-- name: list_family
-- All branches of the chat of the user's thread $3, with itself and the first one, oldest first.
with own as (
    select coalesce(family, thread_id) as family from threads
    where tenant_id = $1 and user_id = $2 and thread_id = $3
)
select thread_id, forked_from, forked_at, next_position, updated_at
from threads
where tenant_id = $1 and user_id = $2 and thread_id in (
    select family from own
    union all
    select branches.thread_id from own join threads as branches using (family)
    where branches.tenant_id = $1
)
order by thread_id

-- name: load_positions
-- The ids that a client gave to messages of the thread $3, in the spaces $4, with their positions.
select name, position from client_threads
where tenant_id = $1 and user_id = $2 and thread_id = $3 and space = any($4) order by created_at

-- name: list_texts
-- The texts of the newest $3 messages of a thread, newest first.
select position, role, run_id, coalesce((
    select string_agg(part ->> 'text', '' order by n)
    from json_array_elements(parts::json) with ordinality as items (part, n)
    where role <> 'tool' and part ->> 'type' = 'text'
), '') as text
from messages where tenant_id = $1 and thread_id = $2 order by position desc limit $3
