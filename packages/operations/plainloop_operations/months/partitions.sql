-- name: take_turn
-- Of all processes one keeps the months; the others go on with their work.
select pg_try_advisory_xact_lock(hashtextextended('plainloop months', 0))

-- name: list_plain_tables
-- Those of the tables $1 that are not kept by months yet, and about how many rows they have.
select relname::text as name, greatest(reltuples, 0)::bigint as rows from pg_class
where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any($1::text[])
order by array_position($1::text[], relname::text)

-- name: list_parts
-- Of the tables $1 those that are kept by months, with their parts, the oldest first. Ids that no
-- clock of ours made lie in the part of all others, which has no bounds and comes last.
select parent.relname::text as name, part.relname::text as part,
    plainloop_id_time(substring(range.text from $$FROM \('([-0-9a-f]{36})'\)$$)::uuid) as begins_at,
    plainloop_id_time(substring(range.text from $$TO \('([-0-9a-f]{36})'\)$$)::uuid) as ends_at,
    (
        select convalidated from pg_constraint
        where conrelid = part.oid and conname = 'plainloop_month'
    ) as is_checked
from pg_class as parent
join pg_inherits on inhparent = parent.oid
join pg_class as part on part.oid = inhrelid
cross join lateral (select pg_get_expr(part.relpartbound, part.oid) as text) as range
where parent.relkind = 'p' and parent.relnamespace = 'public'::regnamespace
    and parent.relname = any($1::text[])
order by 1, ends_at

-- name: list_unchecked
-- The checks of the table $1 of which it is not known whether all of its rows meet them.
select conname::text as "check" from pg_constraint
where conrelid = $1::text::regclass and contype = 'c' and not convalidated

-- name: begin_months
-- The table becomes the first part of one that is kept by months.
select plainloop_begin_months($1::text::regclass, $2, $3, $4)

-- name: add_month
-- The month that begins then.
select plainloop_add_month($1::text::regclass, $2, $3)

-- name: are_calls_old
-- Whether nothing in this part of the ledger is of $1 or later.
select not exists (select from {part} where created_at >= $1)

-- name: are_events_old
-- The same for events; those of a run that has not ended are not old.
select not exists (
    select from runs join {part} using (tenant_id, run_id)
    where runs.status in ('queued', 'running', 'waiting')
) and not exists (select from {part} where created_at >= $1)
