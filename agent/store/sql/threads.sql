-- name: find_newest_thread
-- A user's thread of one pack and kind: that with the newest activity.
select thread_id, user_id, title, pack, kind, next_position as messages, data, model,
    created_at, updated_at
from threads where tenant_id = $1 and user_id = $2 and pack = $3 and kind = $4
order by updated_at desc, thread_id desc limit 1

-- name: list_threads
-- A page of a user's threads, newest activity first, after the thread $3 when it is given; without
-- those of parsed texts and of helpers, which are no conversations.
with seen as (
    select coalesce(updated_at, 'infinity') as updated_at,
        coalesce(threads.thread_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as thread_id
    from (select $3::uuid as thread_id) as named
    left join threads on tenant_id = $1 and user_id = $2 and threads.thread_id = named.thread_id
    where named.thread_id is null or threads.thread_id is not null
)
select thread_id, user_id, title, pack, kind, next_position as messages, data, model,
    created_at, updated_at
from threads
where tenant_id = $1 and user_id = $2 and kind not in ('parse', 'helper')
    -- Two values, each of a query: a row of one would not be looked up in the index.
    and (updated_at, thread_id) < ((select updated_at from seen), (select thread_id from seen))
order by updated_at desc, thread_id desc limit $4

-- name: make_interview
-- Make a user's chat an interview of the pack $4, titled $5 where it has no title. A message
-- changes `next_position`, a queued run stands in `runs`; then no row is returned.
update threads set kind = 'onboarding', pack = $4, title = coalesce(nullif(title, ''), $5)
where tenant_id = $1 and user_id = $2 and thread_id = $3 and kind = 'chat' and next_position = 0
    and not exists (select from runs where tenant_id = $1 and thread_id = $3 and status = 'queued')
returning thread_id, user_id, title, pack, kind, next_position as messages, data, model,
    created_at, updated_at

-- name: rename_thread
-- Set a thread's title, with $5 only where it still is that.
update threads set title = $4
where tenant_id = $1 and user_id = $2 and thread_id = $3 and ($5::text is null or title = $5)

-- name: file_thread
-- Pin a thread ($4) and set its labels ($5), of its branches too; null: as it is.
with own as (
    select coalesce(family, thread_id) as family from threads
    where tenant_id = $1 and user_id = $2 and thread_id = $3
)
update threads set is_pinned = coalesce($4, is_pinned), labels = coalesce($5::text[], labels)
from own
where tenant_id = $1 and user_id = $2 and (thread_id = own.family or threads.family = own.family)

-- name: count_labels
-- A user's labels, and how many conversations have each: a branched one counts once.
select label, count(distinct coalesce(family, thread_id)) as conversations
from threads cross join lateral unnest(labels) as label
where tenant_id = $1 and user_id = $2 and kind <> 'parse' group by label order by label

-- name: describe_threads
-- Owner and creation time of the threads $2 of user $3 (null: any), and the title of user $4's chats.
select thread_id as id, user_id, created_at,
    case when user_id = $4 and kind = 'chat' then title end as title
from threads
where tenant_id = $1 and thread_id = any ($2::uuid[]) and ($3::text is null or user_id = $3)

-- name: list_unknown_users
-- Those of the users $2 that have no thread: their names may be misspelled.
select named from unnest($2::text[]) as users (named)
where not exists (select from threads where tenant_id = $1 and user_id = named)

-- name: describe_chats
-- The chats that the threads $2 belong to: a chat is its first thread with all that were branched
-- from it, whose id is the chat's. Of each the version used last, or the named one ($5); how many
-- there are; and what runs from $6 to $7 cost that it does not show. $3, $4: as above.
with recursive named as (
    select unnest($2::uuid[]) as chat
    union select family from threads where tenant_id = $1 and thread_id = any ($2)
), kin as (
    select thread_id, coalesce(family, thread_id) as chat, forked_from, forked_at, user_id, kind,
        title, created_at, updated_at from threads
    where tenant_id = $1 and ($3::text is null or user_id = $3) and (
        thread_id = any (array(select chat from named))
        or family = any (array(select chat from named))
    )
), newest as (
    select distinct on (chat) *, count(*) over (partition by chat)::integer as versions from kin
    order by chat, (thread_id = $5) desc nulls last, updated_at desc, thread_id
), shown as (
    select thread_id as version, thread_id, null::integer as until from newest
    union all
    select version, forked_from, least(until, forked_at)
    from shown join kin using (thread_id) where forked_from is not null
), hidden as (
    select distinct kin.chat, messages.run_id from kin join newest using (chat)
    join messages on messages.tenant_id = $1 and messages.thread_id = kin.thread_id
    where kin.thread_id <> newest.thread_id and messages.run_id is not null and not exists (
        select from shown where shown.version = newest.thread_id
            and shown.thread_id = kin.thread_id and messages.position < shown.until
    )
), costs as (
    select chat, sum(cost_usd) as usd from hidden
    join llm_calls on llm_calls.tenant_id = $1 and llm_calls.run_id = hidden.run_id
    where ($6::timestamptz is null or llm_calls.created_at >= $6)
        and ($7::timestamptz is null or llm_calls.created_at < $7) group by chat
)
select chat as id, user_id, created_at, kind, thread_id as newest_id,
    case when user_id = $4 then title end as title, versions, costs.usd::text as hidden_usd
from newest left join costs using (chat)

-- name: describe_runs
-- The runs $2 with the beginning of the message that each answers; $3, $4: as above.
select run_id as id, runs.user_id, runs.created_at, kind,
    case when runs.user_id = $4 then (
        select left(string_agg(part ->> 'text', ' ' order by n), 200)
        from messages, json_array_elements(parts::json) with ordinality as items (part, n)
        where messages.tenant_id = $1 and messages.thread_id = runs.thread_id
            and position = runs.input_position and part ->> 'type' = 'text'
    ) end as title
from runs join threads on threads.tenant_id = $1 and threads.thread_id = runs.thread_id
where runs.tenant_id = $1 and run_id = any ($2::uuid[]) and ($3::text is null or runs.user_id = $3)

-- name: choose_model
-- Set which model answers in a thread; null: as the service says.
update threads set model = $4 where tenant_id = $1 and user_id = $2 and thread_id = $3

-- name: delete_thread
-- Erase a thread and all that it holds; of the ledger only the numbers stay.
with gone as (
    delete from threads where tenant_id = $1 and user_id = $2 and thread_id = $3 returning thread_id
), gone_messages as (
    delete from messages using gone
    where messages.tenant_id = $1 and messages.thread_id = gone.thread_id returning messages.run_id
), run_ids as (
    -- Each by an index: one condition with `or` reads all runs of all tenants.
    select run_id from gone_messages where run_id is not null
    union
    select runs.run_id from runs join gone on runs.thread_id = gone.thread_id
    where runs.tenant_id = $1 and runs.status = 'queued'
), gone_runs as (
    delete from runs using run_ids
    where runs.tenant_id = $1 and runs.run_id = run_ids.run_id returning runs.run_id
), gone_steps as (
    delete from steps using gone_runs where steps.tenant_id = $1 and steps.run_id = gone_runs.run_id
    returning started_at, avoided
), saved as (
    -- Calls that were not made stay counted: those not added up yet (`roll_avoided`).
    insert into usage_avoided (tenant_id, hour, user_id, role, reason, calls, tokens)
    select $1, date_bin('1 hour', started_at, '2000-01-01Z'), $2, value ->> 0, value ->> 1,
        count(*), sum((value ->> 2)::bigint)
    from gone_steps cross join json_array_elements(avoided) as items (value)
    where started_at >= coalesce((select rolled_until from usage_rolled), '-infinity')
    group by 2, 4, 5
), gone_tool_calls as (
    delete from tool_calls using gone_runs
    where tool_calls.tenant_id = $1 and tool_calls.run_id = gone_runs.run_id
), gone_events as (
    delete from run_events using gone_runs
    where run_events.tenant_id = $1 and run_events.run_id = gone_runs.run_id
), gone_approvals as (
    delete from approvals using gone_runs
    where approvals.tenant_id = $1 and approvals.run_id = gone_runs.run_id
), blanked as (
    update llm_calls
    set thread_id = null, run_id = null, step = null, extra_messages = null, response = null,
        response_position = null, notes = null, error_message = null, fingerprint = null, system_hash = null,
        tools_hash = null, first_position = null, last_position = null, tags = '{}'
    from gone_runs where llm_calls.tenant_id = $1 and llm_calls.run_id = gone_runs.run_id
)
select count(*) from gone

-- name: lock_thread
-- Take the thread's row before any of its runs' rows: always in this order.
select thread_id from threads where tenant_id = $1 and user_id = $2 and thread_id = $3 for update

-- name: insert_messages
-- Append $4 messages of together $6 tokens: positions and offsets continue the thread's. With $7 only
-- where it ends at that position and no run is active.
with thread as (
    update threads
    set next_position = next_position + $4::int, total_tokens = total_tokens + $6::bigint
    where tenant_id = $1 and thread_id = $2 and ($7::int is null or next_position = $7 and not exists (
        select from runs where tenant_id = $1 and runs.thread_id = $2
            and (status in ('running', 'waiting') or status = 'queued') -- an index for each
    ))
    returning next_position - $4::int as position, total_tokens - $6::bigint as tokens_before
), stored as (
    insert into messages
        (tenant_id, thread_id, position, run_id, role, parts, tokens, tokens_before)
    select $1, $2, thread.position + new.n::int - 1, $3, new.role, new.parts, new.tokens,
        thread.tokens_before
            + sum(new.tokens) over (order by new.n) - new.tokens
    from thread, rows from (
        json_to_recordset($5::json) as (role text, parts json, tokens int)
    ) with ordinality as new (role, parts, tokens, n)
)
select position from thread

-- name: load_messages
-- The newest whole exchanges of at most $4 tokens up to position $3; at least the newest one.
select * from plainloop_load_messages($1, $2, $3, $4) order by position

-- name: load_run_messages
-- Messages of a run's thread by position, both ends included.
select messages.position, role, parts, tokens, tokens_before
from runs
join messages on messages.tenant_id = $1 and messages.thread_id = runs.thread_id
where runs.tenant_id = $1 and runs.run_id = $2 and messages.position >= $3
    and messages.position <= $4
order by messages.position

-- name: load_last_answer
-- The thread's last assistant message and what follows it.
select position, role, parts, tokens, tokens_before
from messages
where tenant_id = $1 and thread_id = $2 and position >= coalesce((
    select max(last.position)
    from messages as last
    where last.tenant_id = $1 and last.thread_id = $2 and last.role = 'assistant'
), 0)
order by position

-- name: find_ids
-- A user's threads or runs ({kind}) whose ids lie in a range: those that begin with what was typed.
select {kind}_id from {kind}s
where tenant_id = $1 and user_id = $2 and {kind}_id between $3 and $4 order by {kind}_id limit $5

-- name: load_last_run
-- A user's newest run, in the thread $3 if given, without helpers' runs: ids are in order of time.
select run_id from runs
where tenant_id = $1 and user_id = $2 and ($3::uuid is null or thread_id = $3)
    and ($3::uuid is not null or design not like 'helper:%')
order by run_id desc limit 1
