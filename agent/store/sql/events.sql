-- name: insert_events
-- Events of a run that this transaction ends or suspends. A flush under way may hold the first ones.
insert into run_events (tenant_id, run_id, first_seq, last_seq, events)
values ($1, $2, $3, $4, $5)
on conflict (tenant_id, run_id, first_seq) do update
set last_seq = excluded.last_seq, events = excluded.events
where run_events.last_seq <= excluded.last_seq

-- name: load_events
-- Flushes and steps that hold events after $3. The first may begin before it.
select first_seq, events, null::int as n, null::text as node, null::text as next_node,
    null::int as first_position, null::int as last_position
from run_events where tenant_id = $1 and run_id = $2 and last_seq > $3
union all
select first_seq, events, n, node, next_node, first_position, last_position
from steps where tenant_id = $1 and run_id = $2 and last_seq > $3 and events is not null
order by first_seq

-- name: load_last_seq
-- The number of the last stored event; 0 when there is none.
select coalesce(greatest(
    (select max(last_seq) from run_events where tenant_id = $1 and run_id = $2),
    (select max(last_seq) from steps where tenant_id = $1 and run_id = $2)
), 0)

-- name: list_changes
-- Changes after each tenant's number; `is_settled` where nothing older can still become visible.
select tenant_id, change_id, user_id, thread_id as conversation_id, run_id, approval_id, status,
    at < now() - interval '5 seconds' as is_settled
from changes
join unnest($1::text[], $2::bigint[]) as watched (tenant_id, seen) using (tenant_id)
where change_id > seen order by change_id

-- name: list_settled_changes
-- The number of each tenant's newest change before which nothing can become visible any more.
select watched.tenant_id, coalesce(max(change_id), 0) as change_id
from unnest($1::text[]) as watched (tenant_id)
left join changes on changes.tenant_id = watched.tenant_id and at < now() - interval '5 seconds'
group by watched.tenant_id

-- name: list_changes_after
-- What changed after the change $3, of user $2 (null: all), and a little before: one committed late has
-- a lower number. First a row for the change itself, if it is still kept.
select change_id, user_id, thread_id as conversation_id, run_id, approval_id, status
from changes
where tenant_id = $1 and (
    change_id = $3
    or ($2::text is null or user_id = $2) and at > (
        select at - interval '5 seconds' from changes where tenant_id = $1 and change_id = $3
    )
)
order by change_id = $3 desc, change_id

-- name: load_last_change
-- The number of a tenant's newest change; 0 when there is none.
select coalesce(max(change_id), 0) from changes where tenant_id = $1
