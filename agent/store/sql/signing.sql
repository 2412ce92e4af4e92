-- name: lock_signatures
-- One writes a tenant's signatures at a time: those of a thread follow each other without a gap.
select pg_try_advisory_xact_lock(hashtextextended('plainloop signatures ' || $1, 0))

-- name: save_signatures
-- Sign what has none yet of the newest $2 threads: $3 messages or more, or what was said and rests
-- for ten minutes; at most $4 signatures a thread, so that nobody waits for long. A thread that is
-- being erased is passed over, and one that is signed now is erased afterwards.
with unsigned as materialized (
    select thread_id, next_position, first_position
    from threads cross join lateral (
        select coalesce(max(until_position), 0) as first_position from message_signatures as signed
        where signed.tenant_id = $1 and signed.thread_id = threads.thread_id
    ) as signed
    where tenant_id = $1 and not is_signed and next_position > first_position and (
        next_position >= first_position + $3 or updated_at < now() - interval '10 minutes'
    )
    order by updated_at desc limit $2
    for key share of threads skip locked
)
insert into message_signatures (tenant_id, thread_id, first_position, until_position, signature)
select $1, thread_id, min(position), max(position) + 1, plainloop_signature(coalesce(
    string_agg(lower(parts::text), ' ') filter (where role <> 'tool'), ''
))
from unsigned join messages using (thread_id)
where tenant_id = $1 and position >= first_position and position < first_position + $3 * $4
group by thread_id, (position - first_position) / $3

-- name: mark_signed
-- Mark up to $2 threads as wholly signed. One that goes on is passed over, and left unmarked.
update threads set is_signed = true
where tenant_id = $1 and thread_id in (
    select thread_id from threads as unsigned
    where tenant_id = $1 and not is_signed and next_position = (
        select max(until_position) from message_signatures as signed
        where signed.tenant_id = $1 and signed.thread_id = unsigned.thread_id
    )
    order by updated_at desc limit $2 for no key update skip locked
)

-- name: lock_unsliced
-- $2 signatures that are in no slice, where there are so many, until they are in one: who gives a
-- thread another title, or erases it, waits.
select thread_id, first_position from message_signatures
where tenant_id = $1 and slice is null and $2 = (
    select count(*) from (
        select from message_signatures where tenant_id = $1 and slice is null limit $2
    ) as unsliced
)
limit $2 for update skip locked

-- name: load_unsliced
-- The signatures of what is locked now, in that order, with the titles as they are now.
select case when first_position = 0 then signature | plainloop_signature(lower(title))
    else signature end as signature
from unnest($2::uuid[], $3::int[]) with ordinality as chosen (thread_id, first_position, n)
join message_signatures as signed using (thread_id, first_position)
join threads using (tenant_id, thread_id)
where tenant_id = $1 order by n

-- name: save_slice
-- Put signatures ($2, $3) side by side: $5 by the place of their bit, $4.
with next as (
    select coalesce(max(slice) + 1, 0) as slice from message_signatures where tenant_id = $1
), numbered as (
    update message_signatures as signed set slice = next.slice, number = chosen.n - 1
    from next, unnest($2::uuid[], $3::int[])
        with ordinality as chosen (thread_id, first_position, n)
    where tenant_id = $1 and signed.thread_id = chosen.thread_id
        and signed.first_position = chosen.first_position
)
insert into message_slices (tenant_id, place, slice, holders)
select $1, place, next.slice, holders
from next, unnest($4::int[], $5::varbit[]) as made (place, holders)
