-- name: save_end
-- What was said up to the end of run $6 in its thread $5 is named $4 and the thread's id, so that
-- equal conversations do not take each other's names.
insert into client_threads (tenant_id, user_id, space, name, thread_id, position)
select $1, $2, $3, $4 || replace($5::uuid::text, '-', ''), $5, max(position) + 1
from messages where tenant_id = $1 and thread_id = $5 and run_id = $6
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
    order by name desc limit 100
) as names
join threads on threads.tenant_id = $1 and threads.thread_id = names.thread_id
    and threads.user_id = $2
left join lateral (
    select status from runs where tenant_id = $1 and runs.thread_id = names.thread_id
        and (status in ('running', 'waiting') or status = 'queued') -- an index for each
    order by status desc limit 1
) as active on true
order by case
    when $5 then active.status is not distinct from 'waiting'
    else threads.next_position = names.position and active.status is null
end desc, random()
limit 1

-- name: save_sent
-- The request of the hash $3 has the key `sent:` and $4, and is the $5th try; older ones than $7
-- seconds are forgotten.
with old as (
    delete from client_threads
    where tenant_id = $1 and user_id = $2 and space = 'sent'
        and created_at < now() - make_interval(secs => $7)
)
insert into client_threads (tenant_id, user_id, space, name, thread_id, position)
values ($1, $2, 'sent', $3 || replace($4::uuid::text, '-', ''), $6, $5)
on conflict (tenant_id, user_id, space, name) do update set thread_id = excluded.thread_id

-- name: take_sent
-- The key of a request of the hash $3 that came within $5 seconds and was sent fewer than $4 times
-- again: of several one that is being answered, so that each is taken by its own client's retry.
update client_threads as names set position = $4, created_at = now()
where (tenant_id, user_id, space, name) = (
    select known.tenant_id, known.user_id, known.space, known.name
    from client_threads as known
    left join runs on runs.tenant_id = $1 and runs.user_id = $2
        and runs.idempotency_key = 'sent:' || right(known.name, 32)::uuid
    where known.tenant_id = $1 and known.user_id = $2 and known.space = 'sent'
        and known.name between $3 || repeat('0', 32) and $3 || repeat('f', 32)
        and known.position < $4 and known.created_at > now() - make_interval(secs => $5)
    order by runs.ended_at is null desc, known.position desc, known.created_at limit 1
    for update of known skip locked
)
returning 'sent:' || right(name, 32)::uuid as key

-- name: find_waiting_threads
-- Threads of a user in which a run waits for one of these calls of its client's tools.
select distinct thread_id from approvals
where tenant_id = $1 and user_id = $2 and status = 'pending' and is_client
    and tool_call_id = any($3::text[])

-- name: is_known_call
-- Whether a run of a user ever made one of these calls of its client's tools.
select exists (
    select from approvals
    where tenant_id = $1 and user_id = $2 and is_client and tool_call_id = any($3::text[])
)

-- name: change_options
-- Of a run that waits: what its client wishes may be other with each request. What it wished until
-- then, and before which step, is kept for replays; as json, whose keys stay in their order.
update runs set options = (
    select json_object_agg(key, value)
    from (
        select key, value from json_each(coalesce(options, '{}'))
        where key <> 'wished' and key not in (select json_object_keys($4::json))
        union all
        select key, value from json_each($4::json)
        union all
        select 'wished', json_agg(item)
        from (
            select value as item from json_array_elements(options -> 'wished')
            union all
            select json_build_object(
                'until', (
                    select coalesce(max(n) + 1, 0) from steps
                    where tenant_id = $1 and run_id = runs.run_id
                ),
                'wishes', coalesce(options -> 'wishes', '{}')
            )
        ) as items
    ) as pairs
)
where tenant_id = $1 and user_id = $2 and run_id = $3 and status = 'waiting'
