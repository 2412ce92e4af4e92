-- name: create_thread
-- A new thread; none when the id is taken (by anybody in the tenant).
insert into threads (tenant_id, thread_id, user_id, pack, kind, title)
values ($1, $2, $3, $4, $5, $6)
on conflict do nothing
returning thread_id, user_id, title, pack, kind, next_position as messages, data,
    created_at, updated_at

-- name: load_thread
-- A user's thread.
select thread_id, user_id, title, pack, kind, next_position as messages, data,
    created_at, updated_at
from threads
where tenant_id = $1 and user_id = $2 and thread_id = $3

-- name: list_threads
-- A page of a user's threads, newest activity first, after the thread $3 when it is given.
select thread_id, user_id, title, pack, kind, next_position as messages, data,
    created_at, updated_at
from threads
where tenant_id = $1 and user_id = $2
    and (
        $3::uuid is null
        or (updated_at, thread_id) < (
            select seen.updated_at, seen.thread_id
            from threads as seen
            where seen.tenant_id = $1 and seen.user_id = $2 and seen.thread_id = $3
        )
    )
order by updated_at desc, thread_id desc
limit $4

-- name: rename_thread
-- Set a thread's title.
update threads set title = $4
where tenant_id = $1 and user_id = $2 and thread_id = $3

-- name: delete_thread
-- Erase a thread and all that it holds; of the ledger only the numbers stay.
with gone as (
    delete from threads where tenant_id = $1 and user_id = $2 and thread_id = $3
    returning thread_id
), gone_runs as (
    delete from runs using gone where runs.tenant_id = $1 and runs.thread_id = gone.thread_id
    returning runs.run_id
), gone_messages as (
    delete from messages using gone
    where messages.tenant_id = $1 and messages.thread_id = gone.thread_id
), gone_steps as (
    delete from steps using gone_runs
    where steps.tenant_id = $1 and steps.run_id = gone_runs.run_id
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
        response_position = null, notes = null, fingerprint = '', system_hash = null,
        tools_hash = null, first_position = null, last_position = null
    from gone_runs
    where llm_calls.tenant_id = $1 and llm_calls.run_id = gone_runs.run_id
)
select count(*) from gone

-- name: lock_thread
-- Take the thread's row before any of its runs' rows: always in this order.
select thread_id from threads
where tenant_id = $1 and user_id = $2 and thread_id = $3
for update

-- name: insert_messages
-- Append $4 messages of together $6 tokens: positions and offsets continue the thread's.
with thread as (
    update threads
    set next_position = next_position + $4::int,
        total_tokens = total_tokens + $6::bigint
    where tenant_id = $1 and thread_id = $2
    returning next_position - $4::int as position,
        total_tokens - $6::bigint as tokens_before
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
-- Walks back over the primary key and stops at the cut, so a long thread costs no more.
with upper as (
    select position, tokens_before + tokens as tokens_end
    from messages
    where tenant_id = $1 and thread_id = $2 and position <= coalesce($3::int, 2147483647)
    order by position desc
    limit 1
), cut as (
    select coalesce((
        select messages.position + 1
        from messages, upper
        where tenant_id = $1 and thread_id = $2 and messages.position <= upper.position
            and tokens_before < tokens_end - $4::bigint
        order by messages.position desc
        limit 1
    ), 0) as position
), start as (
    select coalesce(
        (
            select messages.position
            from messages, upper, cut
            where tenant_id = $1 and thread_id = $2 and role = 'user'
                and messages.position >= cut.position and messages.position <= upper.position
            order by messages.position
            limit 1
        ),
        (
            select messages.position
            from messages, upper
            where tenant_id = $1 and thread_id = $2 and role = 'user'
                and messages.position <= upper.position
            order by messages.position desc
            limit 1
        ),
        0
    ) as position
)
select messages.position, role, parts, tokens, tokens_before
from messages, upper, start
where tenant_id = $1 and thread_id = $2
    and messages.position between start.position and upper.position
order by messages.position

-- name: load_message_range
-- Messages by position, both ends included.
select position, role, parts, tokens, tokens_before
from messages
where tenant_id = $1 and thread_id = $2 and position between $3 and $4
order by position

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
