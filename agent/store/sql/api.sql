-- part: title_holds
-- All words of $7 are in the title, ignoring case, or nothing is searched for.
not exists (select from wanted where strpos(lower(title), word) = 0)

-- part: holds_words
-- A message whose texts or file names contain the words of $7 that the title lacks, ignoring case;
-- a search of all parts is fast. `offset 0`: a plan that joins them reads each message.
role <> 'tool' and ($22::text is null or threads.user_id = $22) and not exists (
    select from wanted where strpos(lower(title), word) = 0
        and (strpos(lower(parts::text), word) = 0 or not exists (
            select from json_array_elements(parts) as one
            where one ->> 'type' in ('text', 'file')
                and strpos(lower(coalesce(one ->> 'text', one ->> 'name')), word) > 0
        ))
    offset 0
)

-- part: newer_holds
-- Whether a later used branch ("newer") holds $7 as well, or nothing is searched for.
{title_holds} or exists (
    select from messages
    where messages.tenant_id = newer.tenant_id and messages.thread_id = newer.thread_id
        and {holds_words}
)

-- name: list_conversations
-- A page of user $2's threads (null: everybody's) of one kind, newest activity first, after
-- ($4, $5) when given; only those whose title and one message hold all words of $7, begun since
-- $8 and before $9, and, when $10, with a run of which all that is given holds: $11 a tag, its own
-- or the thread's, $12 its design, $13 its status, $14 a worker that answered, $15 a tool that was
-- called, $16 the fast path that was taken, $20 what went wrong, $21 a model that was called. $17: of
-- branches that hold $7 only the one used last; $18: only pinned ones, or only others; $19: with
-- this label. $22: whose messages are searched (null: everybody's); of others only the titles.
with wanted as materialized (
    select word, plainloop_signature(word) as signature
    from unnest(string_to_array(lower($7), ' ')) as word
)
select thread_id, user_id, title, pack, kind, next_position as messages, data, model,
    created_at, updated_at, (
        select status from messages join runs using (tenant_id, run_id)
        where messages.tenant_id = threads.tenant_id and messages.thread_id = threads.thread_id
            and role = 'user'
        order by position desc limit 1
    ) as last_status, is_pinned, labels, (
        select count(*) from messages
        where messages.tenant_id = threads.tenant_id and messages.thread_id = threads.thread_id
            and role = 'user'
    ) as asked, case when not ({title_holds}) then (
        select parts from messages
        where messages.tenant_id = threads.tenant_id and messages.thread_id = threads.thread_id
            and {holds_words}
        order by position desc limit 1
    ) end as hit
from threads
where tenant_id = $1 and ($2::text is null or user_id = $2) and kind = $3
    and ($4::timestamptz is null or (updated_at, thread_id) < ($4, $5::uuid))
    and ({title_holds} or exists (
        select from message_signatures as signed
        where signed.tenant_id = threads.tenant_id and signed.thread_id = threads.thread_id
            and not exists (
                select from wanted where strpos(lower(title), word) = 0
                    and wanted.signature & ~signed.signature <> repeat('0', 4096)::bit(4096)
            ) and exists (
                select from messages
                where messages.tenant_id = threads.tenant_id
                    and messages.thread_id = threads.thread_id
                    and position >= signed.first_position and position < signed.until_position
                    and {holds_words}
            )
    ) or next_position > coalesce((
        select max(until_position) from message_signatures as signed
        where signed.tenant_id = threads.tenant_id and signed.thread_id = threads.thread_id
    ), 0) and exists (
        select from messages
        where messages.tenant_id = threads.tenant_id and messages.thread_id = threads.thread_id
            and position >= coalesce((
                select max(until_position) from message_signatures as signed
                where signed.tenant_id = threads.tenant_id and signed.thread_id = threads.thread_id
            ), 0)
            and {holds_words}
    ))
    and (not $17 or not exists (
        select from threads as newer
        where newer.tenant_id = threads.tenant_id
            and newer.family = coalesce(threads.family, threads.thread_id)
            and (newer.updated_at, newer.thread_id) > (threads.updated_at, threads.thread_id)
            and ({newer_holds})
    ) and not exists (
        select from threads as newer
        where newer.tenant_id = threads.tenant_id and newer.thread_id = threads.family
            and newer.updated_at > threads.updated_at and ({newer_holds})
    ))
    and ($18::boolean is null or is_pinned = $18) and ($19::text is null or $19 = any (labels))
    and ($8::timestamptz is null or created_at >= $8)
    and ($9::timestamptz is null or created_at < $9)
    and (not $10 or exists (
        -- A thread's runs are named by its messages; there is no index of them.
        select from (
            select runs.* from messages
            join runs on runs.tenant_id = $1 and runs.run_id = messages.run_id
            where messages.tenant_id = $1 and messages.thread_id = threads.thread_id
                and messages.role = 'user'
            union all
            select runs.* from runs
            where tenant_id = $1 and runs.thread_id = threads.thread_id and status = 'queued'
        ) as runs
        where ($11::text is null or $11 = any (runs.tags) or $11 = any (threads.tags))
            and ($12::text is null or runs.design = $12)
            and ($13::text is null or runs.status = $13)
            and ($14::text is null or exists (
                select from llm_calls
                where tenant_id = $1 and llm_calls.run_id = runs.run_id and worker = $14
            ))
            and ($15::text is null or exists (
                select from tool_calls
                where tenant_id = $1 and tool_calls.run_id = runs.run_id and name = $15
            ))
            and ($16::text is null or exists (
                select from steps
                where tenant_id = $1 and steps.run_id = runs.run_id
                    and steps.update ->> 'fast_intent' = $16
            ))
            and ($20::text is null or case $20
                when 'tool' then exists (
                    select from tool_calls
                    where tenant_id = $1 and tool_calls.run_id = runs.run_id
                        and tool_calls.status in ('failed', 'unknown')
                )
                when 'rating' then exists (
                    select from ratings
                    where tenant_id = $1 and ratings.run_id = runs.run_id and rating = 'down'
                )
                else runs.status in ('failed', 'limit')
            end)
            and ($21::text is null or exists (
                select from llm_calls
                where tenant_id = $1 and llm_calls.run_id = runs.run_id and model = $21
            ))
    ))
order by updated_at desc, thread_id desc limit $6

-- name: list_facts
-- Of each of the threads $2: its workers' models, what its runs cost, and what went wrong in it; how
-- many versions it has, and the most messages of people in one of them.
select threads.thread_id, used.models, used.cost_usd, exists (
    select from tool_calls
    where tool_calls.tenant_id = $1 and tool_calls.run_id = any (asked.runs)
        and status in ('failed', 'unknown')
) as tool_failed, exists (
    select from ratings
    where ratings.tenant_id = $1 and ratings.run_id = any (asked.runs) and rating = 'down'
) as rated_bad, branches.versions, branches.most_asked
from threads
cross join lateral (
    select count(*) as versions, max((
        select count(*) from messages
        where messages.tenant_id = $1 and messages.thread_id = other.thread_id and role = 'user'
    )) as most_asked
    from threads as other where other.tenant_id = $1 and (
        other.family = coalesce(threads.family, threads.thread_id)
        or other.thread_id = coalesce(threads.family, threads.thread_id)
    )
) as branches
cross join lateral (
    select array_agg(run_id) as runs from messages
    where tenant_id = $1 and messages.thread_id = threads.thread_id and role = 'user'
) as asked
cross join lateral (
    select coalesce(array_agg(distinct model) filter (where role = 'worker'), '{}') as models,
        sum(cost_usd) as cost_usd
    from llm_calls where tenant_id = $1 and run_id = any (asked.runs)
) as used
where threads.tenant_id = $1 and threads.thread_id = any ($2)

-- name: list_newest
-- Up to $6 threads of one kind of a user ($2; null: all), newest activity first, after ($4, $5).
select thread_id, updated_at from threads
where tenant_id = $1 and ($2::text is null or user_id = $2) and kind = $3
    and ($4::timestamptz is null or (updated_at, thread_id) < ($4, $5::uuid))
order by updated_at desc, thread_id desc limit $6

-- name: list_candidates
-- Those that may contain $7: not wholly signed, or with all bits of each word of three letters or
-- more in a signature or the title.
with wanted as materialized (
    select word, plainloop_signature(word) as signature
    from unnest(string_to_array(lower($7), ' ')) as word where length(word) > 2
), slices as materialized (
    select word, slice, bit_and(holders) as holders from wanted
    cross join lateral (
        select place from generate_series(0, 4095) as place where get_bit(signature, place) = 1
    ) as places
    join message_slices using (place)
    where tenant_id = $1 group by word, signature, slice
    having count(*) = bit_count(signature) and bit_count(bit_and(holders)) > 0
), found as materialized (
    select thread_id from (
        select word, thread_id from slices
        cross join lateral generate_series(0, length(holders) - 1) as bits (number)
        join message_signatures as signed on signed.tenant_id = $1
            and signed.slice = slices.slice and signed.number = bits.number
        where get_bit(holders, bits.number) = 1
        union
        -- One by one: all titles are many more than what is in no slice.
        select word, signed.thread_id from message_signatures as signed
        cross join lateral (
            select title from threads
            where tenant_id = $1 and threads.thread_id = signed.thread_id limit 1
        ) as own
        join wanted on signed.signature & wanted.signature = wanted.signature
            or strpos(lower(title), word) > 0
        where tenant_id = $1 and slice is null
    ) as held
    group by thread_id having count(*) = (select count(*) from wanted)
)
select thread_id, updated_at from (
    (
        select thread_id, updated_at from threads
        where tenant_id = $1 and ($2::text is null or user_id = $2) and kind = $3
            and ($4::timestamptz is null or (updated_at, thread_id) < ($4, $5::uuid))
            and not is_signed
        order by updated_at desc, thread_id desc limit $6
    )
    union all
    select thread_id, updated_at from found join threads using (thread_id)
    where tenant_id = $1 and ($2::text is null or user_id = $2) and kind = $3
        and ($4::timestamptz is null or (updated_at, thread_id) < ($4, $5::uuid))
        and is_signed
) as candidates
order by updated_at desc, thread_id desc limit $6

-- name: list_messages
-- The newest $4 messages of a thread below position $3, newest first. With each comes the role of
-- the run's next one, with the last of a run how the run stands.
select said.position, said.role, said.parts, said.run_id, said.created_at, later.role as next_role,
    case when later.role is null then runs.status end as run_status
from messages as said
left join messages as later
    on later.tenant_id = said.tenant_id and later.thread_id = said.thread_id
    and later.position = said.position + 1 and later.run_id = said.run_id
left join runs on runs.tenant_id = said.tenant_id and runs.run_id = said.run_id
where said.tenant_id = $1 and said.thread_id = $2 and said.position < coalesce($3::int, 2147483647)
order by said.position desc limit $4

-- name: load_answer_position
-- Where the last answer of a run stands in its thread.
select position from messages
where tenant_id = $1 and thread_id = $2 and run_id = $3 and role = 'assistant'
order by position desc limit 1

-- name: save_ticket
-- A ticket, or a session, for $5 seconds; expired ones go.
with gone as (delete from tickets where tenant_id = $1 and expires_at < now())
insert into tickets
    (tenant_id, ticket_hash, user_id, is_admin, identity_expires_at, expires_at, is_session, key_id)
values ($1, $2, $3, $4, $6, now() + make_interval(secs => $5), $7, $8)

-- name: redeem_ticket
-- Whose ticket it was; a second asker finds none.
delete from tickets
where tenant_id = $1 and ticket_hash = $2 and not is_session and expires_at > now()
returning user_id, is_admin, identity_expires_at, key_id

-- name: find_session
-- Whose session it is, as long as it was not ended.
select user_id, is_admin, identity_expires_at, key_id from tickets
where tenant_id = $1 and ticket_hash = $2 and is_session and expires_at > now()

-- name: end_session
-- Whoever has kept its cookie is signed out as well.
delete from tickets where tenant_id = $1 and ticket_hash = $2 and is_session

-- name: use_little_memory
-- For the rest of the transaction: the least that there is.
select set_config('work_mem', '64kB', true)

-- name: write_pages
-- What does not fit in memory goes to a file, and is gone afterwards: a row of a table, or a whole
-- page, finds room in the files that there are while the disk is full.
select count(*) from generate_series(1, 20000)

-- name: record_replica
-- A replica's sign of life; those that are silent for a day go.
with gone as (delete from replicas where seen_at < now() - interval '1 day' and owner <> $1)
insert into replicas (owner, is_draining) values ($1, $2)
on conflict (owner) do update set is_draining = excluded.is_draining, seen_at = now()

-- part: unfinished
-- The tenant's runs that have not ended: an index finds each half.
from runs where tenant_id = $1 and (status in ('running', 'waiting') or status = 'queued')

-- name: count_unfinished_runs
-- How many there are, by status and by who works on them.
select status, owner, count(*)::int as runs, min(created_at) as oldest_at
{unfinished} group by status, owner

-- name: list_unfinished_runs
-- The oldest $2 of them.
select run_id, thread_id, user_id, status, owner, attempt, created_at, (
    select next_node from steps where tenant_id = $1 and steps.run_id = runs.run_id
    order by n desc limit 1
) as next_node
{unfinished} order by created_at, run_id limit $2

-- name: load_capacity
-- How many connections our role may have here, how many others use, how many replicas are up.
select
    least(
        current_setting('max_connections')::int
            - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true)::int, 0),
        case when not rolsuper then nullif(rolconnlimit, -1) end,
        case when not rolsuper then nullif(datconnlimit, -1) end
    ) as room,
    (
        select count(*)::int from pg_stat_activity
        -- A step's transaction is named `plainloop step` and its run.
        where datid is not null and coalesce(application_name, '') not like 'plainloop%'
    ) as others,
    (
        select count(*)::int from replicas
        where not is_draining and seen_at > now() - interval '2 minutes'
    ) as replicas
from pg_roles, pg_database where rolname = session_user and datname = current_database()
