-- name: list_shown
-- The user's memory as it was when the thread began: without what came or was corrected later.
select memories.memory_id, memories.text
from threads
join memories on memories.tenant_id = threads.tenant_id and memories.user_id = threads.user_id
    and memories.created_at <= threads.created_at
    and (memories.replaced_at is null or memories.replaced_at > threads.created_at)
where threads.tenant_id = $1 and threads.user_id = $2 and threads.thread_id = $3
    and not memories.is_untrusted
order by memories.created_at desc, memories.memory_id desc
limit $4 + 1

-- name: list_memories
-- What is remembered now.
select memory_id, version, text, is_untrusted, thread_id, run_id, position, created_at
from memories
where tenant_id = $1 and user_id = $2 and replaced_at is null
order by created_at desc, memory_id desc

-- name: search_memories
-- Memories with any of the words, in their base form or as they are: rare words count more.
with own as (
    select memory_id, version, text, is_untrusted, thread_id, run_id, position, created_at,
        to_tsvector('english', text) || to_tsvector('simple', text) as search
    from memories
    where tenant_id = $1 and user_id = $2 and replaced_at is null
), words as (
    select distinct word
    from unnest(tsvector_to_array(to_tsvector('english', $3))) as word
    where word <> ''
), weighed as (
    select words.word,
        ln(1 + total.n::float8 / greatest(count(own.memory_id), 1)) as weight
    from words
    cross join (select count(*) as n from own) as total
    left join own on own.search @@ quote_literal(words.word)::tsquery
    group by words.word, total.n
)
select own.memory_id, own.version, own.text, own.is_untrusted, own.thread_id, own.run_id,
    own.position, own.created_at
from own
join weighed on own.search @@ quote_literal(weighed.word)::tsquery
group by own.memory_id, own.version, own.text, own.is_untrusted, own.thread_id, own.run_id,
    own.position, own.created_at
order by sum(weighed.weight) desc, own.created_at desc, own.memory_id desc
limit $4

-- name: load_memory
-- One of the user's, as it is now.
select memory_id, version, text, is_untrusted, thread_id, run_id, position, created_at
from memories
where tenant_id = $1 and user_id = $2 and memory_id = $3 and replaced_at is null

-- name: take_turn
-- Memories of a user are counted and kept one after the other: until the transaction ends.
select pg_advisory_xact_lock(hashtextextended($1 || chr(31) || $2, 79))

-- name: save_memory
-- The one with this text, else a new one; none when the user has $8.
with known as (
    select memory_id, version, text, is_untrusted, thread_id, run_id, position, created_at
    from memories
    where tenant_id = $1 and user_id = $2 and text = $3 and replaced_at is null
), made as (
    insert into memories (tenant_id, user_id, text, is_untrusted, thread_id, run_id, position)
    select $1, $2, $3, $4, $5, $6, $7
    where not exists (select from known) and $8 > (
        select count(*) from memories
        where tenant_id = $1 and user_id = $2 and replaced_at is null
    )
    returning memory_id, version, text, is_untrusted, thread_id, run_id, position, created_at
)
select *, false as is_new from known
union all
select *, true from made

-- name: correct_memory
-- The next version; the one before stays for conversations that began with it.
with before as (
    update memories set replaced_at = now()
    where tenant_id = $1 and user_id = $2 and memory_id = $3 and replaced_at is null
    returning *
)
insert into memories
    (tenant_id, memory_id, version, user_id, text, is_untrusted, thread_id, run_id, position)
select $1, memory_id, version + 1, $2, $4, $5,
    coalesce($6, thread_id), case when $6::uuid is null then run_id else $7 end,
    case when $6::uuid is null then position else $8 end
from before
returning memory_id, version, text, is_untrusted, thread_id, run_id, position, created_at

-- name: count_all
-- Of all tenants: memories, whose they are, and users who have as many as there may be.
with counted as (
    select count(*) as memories from memories
    where replaced_at is null
    group by tenant_id, user_id
)
select coalesce(sum(memories), 0)::bigint as memories, count(*) as users,
    count(*) filter (where memories >= $1) as "full"
from counted

-- name: delete_memory
-- Every version of one of the user's.
delete from memories where tenant_id = $1 and user_id = $2 and memory_id = $3

-- name: delete_memories
-- All of the user's; how many they were.
with gone as (
    delete from memories where tenant_id = $1 and user_id = $2 returning memory_id
)
select count(distinct memory_id) from gone

-- name: list_ended
-- Conversations of all tenants in these packs ($3) whose last run ended $1 seconds ago or earlier,
-- within the hour that changes are kept, and that were not read since.
with ended as (
    select tenant_id, thread_id, user_id, max(at) as at,
        (array_agg(status order by change_id desc))[1] as status
    from changes
    where run_id is not null and approval_id is null and thread_id is not null
    group by tenant_id, thread_id, user_id
)
select ended.tenant_id, ended.thread_id, ended.user_id
from ended
left join memory_reads on memory_reads.tenant_id = ended.tenant_id
    and memory_reads.thread_id = ended.thread_id
where ended.status in ('succeeded', 'failed', 'cancelled', 'limit')
    and ended.at <= clock_timestamp() - make_interval(secs => $1)
    and (memory_reads.read_at is null or memory_reads.read_at < ended.at)
    and exists (
        select from runs
        where runs.tenant_id = ended.tenant_id and runs.thread_id = ended.thread_id
            and runs.pack = any($3::text[])
    )
order by ended.at
limit $2

-- name: claim_ended
-- What is new of a conversation, claimed: nobody else reads it. What nothing is to be read of, an
-- interview, say, counts as read: it is not in the way of others.
with before as (
    select position from memory_reads where tenant_id = $1 and thread_id = $3
), claimed as (
    insert into memory_reads (tenant_id, user_id, thread_id, position)
    select tenant_id, user_id, thread_id, next_position from threads
    where tenant_id = $1 and user_id = $2 and thread_id = $3
    on conflict (tenant_id, thread_id)
    do update set position = excluded.position, read_at = excluded.read_at
    where memory_reads.position < excluded.position
    returning position, thread_id
), touched as (
    update memory_reads set read_at = clock_timestamp()
    where tenant_id = $1 and thread_id = $3 and not exists (select from claimed)
)
select coalesce((select position from before), 0) as first, claimed.position as until, threads.pack
from claimed join threads on threads.tenant_id = $1 and threads.thread_id = claimed.thread_id
where threads.kind = 'chat'
