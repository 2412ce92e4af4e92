-- name: take_turn
-- Replays of a user are counted and begun one after the other: until the transaction ends.
select pg_advisory_xact_lock(hashtextextended($1 || chr(31) || $2, 81))

-- name: insert_replay
-- A new replay, open for workers; none when the user has $7 that are open (null: any number).
insert into replays
    (tenant_id, replay_id, user_id, mode, status, source, candidate, max_cost_usd, started_at)
select $1, $2, $3, 'live', 'running', $4, $5, $6, now()
where $7::int is null or $7 > (
    select count(*) from replays
    where tenant_id = $1 and user_id = $3 and mode = 'live' and ended_at is null
)

-- name: insert_items
-- Conversations ($4: a list) of one replay, queued.
insert into replay_items (tenant_id, replay_id, user_id, n, lane, thread_id, conversation, status)
select $1, $2, $3, new.n, new.lane, new.thread_id, new.conversation, 'queued'
from json_to_recordset($4::json) as new (n int, lane text, thread_id uuid, conversation json)

-- name: load_replay
-- A replay and how far it is; $3 null: any user's.
select replays.replay_id, replays.user_id, replays.status, replays.source, replays.candidate,
    replays.cancel_requested, replays.max_cost_usd, replays.created_at, replays.ended_at,
    replays.verdict,
    (
        select coalesce(json_object_agg(counted.status, counted.items), '{}'::json)
        from (
            select items.status, count(*) as items from replay_items as items
            where items.tenant_id = $1 and items.replay_id = replays.replay_id
            group by items.status
        ) as counted
    ) as items,
    (
        select count(distinct items.n) from replay_items as items
        where items.tenant_id = $1 and items.replay_id = replays.replay_id
    ) as conversations,
    (  -- with an answer on each side that is compared
        select count(*) from (
            select from replay_items as items
            where items.tenant_id = $1 and items.replay_id = replays.replay_id
                and items.lane in ('baseline', 'candidate') and items.status = 'succeeded'
            group by items.n
            having count(*) > (replays.candidate #> '{lanes,baseline}' is not null)::int
        ) as answered
    ) as compared,
    (
        select count(*) from (
            select from replay_items as items
            where items.tenant_id = $1 and items.replay_id = replays.replay_id
            group by items.n
            having count(*) filter (where items.status in ('queued', 'running')) = 0
        ) as over
    ) as done,
    (  -- at the pace while items were worked on; not known before two conversations have ended
        select case when replays.ended_at is null and count(distinct items.n) filter (
            where items.status = 'succeeded'
        ) >= 2 then count(*) filter (where items.status in ('queued', 'running'))
            * (
                select sum(extract(epoch from upper(busy) - lower(busy)))::float
                from unnest(range_agg(tstzrange(
                    least(items.started_at, items.ended_at), items.ended_at
                )) filter (
                    where items.status = 'succeeded'
                )) as busy
            ) / count(*) filter (where items.status = 'succeeded')
        end
        from replay_items as items
        where items.tenant_id = $1 and items.replay_id = replays.replay_id
    ) as left_s,
    (
        select count(distinct items.n) from replay_items as items
        where items.tenant_id = $1 and items.replay_id = replays.replay_id
            and items.error_code = 'REPLAY_CHANGED'
    ) as changed
from replays
where replays.tenant_id = $1 and replays.replay_id = $2 and ($3::text is null or user_id = $3)

-- name: list_replays
-- A user's replays ($2 null: all of the tenant), the newest first; their names contain all words $4.
select replay_id, user_id, status, source, candidate, cancel_requested, max_cost_usd, created_at,
    ended_at, verdict, null::json as items, (
        select count(*)::int from replay_items as items
        where items.tenant_id = $1 and items.replay_id = replays.replay_id
            and items.lane = 'candidate'
    ) as conversations, null::int as compared, null::int as done, null::float as left_s,
    0 as changed
from replays
where tenant_id = $1 and ($2::text is null or user_id = $2) and not exists (
    select from unnest($4::text[]) as word
    where strpos(lower(coalesce(source ->> 'name', '')), word) = 0
)
order by replay_id desc
limit $3

-- name: record_verdict
-- What an ended replay's report came to ($4 null: none can be made); nothing where it was due again
-- since $3.
update replays set verdict = $4, verdict_due = null
where tenant_id = $1 and replay_id = $2 and verdict_due = $3

-- name: find_replays
-- Replays whose id begins with $2.
select replay_id from replays
where tenant_id = $1 and starts_with(replay_id::text, $2) and $2 <> ''
order by replay_id desc
limit 2

-- name: find_candidate_replay
-- A user's newest replay that has ended well and compares the lane $3 with something, over all turns.
select replay_id from replays
where tenant_id = $1 and user_id = $2 and status = 'succeeded'
    and (candidate #> '{lanes,candidate}')::jsonb = $3::json::jsonb
    and (candidate #> '{lanes,baseline}' is not null or (candidate ->> 'drift')::float > 0)
    and candidate ->> 'worker' is null
order by replay_id desc
limit 1

-- name: is_cancelled
-- Whether somebody asked to stop the batch.
select cancel_requested from replays where tenant_id = $1 and replay_id = $2

-- name: record_answer
-- An answer that was paid for; nothing when the item has gone to somebody else.
insert into replay_answers
    (tenant_id, replay_id, lane, n, turn, call, user_id, thread_id, fingerprint, response)
select $1, $2, $3, $4, $5, $6, user_id, thread_id, decode($7::text, 'hex'), $8
from replay_items
where tenant_id = $1 and replay_id = $2 and lane = $3 and n = $4 and fence = $9
    and status = 'running'
on conflict (tenant_id, replay_id, lane, n, turn, call) do update
set fingerprint = excluded.fingerprint  -- written before, its answer lost on the way back
returning call

-- name: load_answers
-- What was paid for already, in order, and whether a crash left its ledger row without usage.
select answers.turn, encode(answers.fingerprint, 'hex') as fingerprint, answers.response,
    coalesce(
        calls.status = 'started' or (calls.status = 'cut' and calls.error_code = 'CRASHED'), false
    ) as is_unsettled
from replay_answers as answers
left join llm_calls as calls
    on calls.tenant_id = $1 and calls.call_id = (answers.response ->> 'call_id')::uuid
where answers.tenant_id = $1 and answers.replay_id = $2 and answers.lane = $3 and answers.n = $4
order by answers.turn, answers.call

-- name: list_answered_threads
-- The threads that the lane $3 of the replay $2 has answered.
select thread_id::text from replay_items
where tenant_id = $1 and replay_id = $2 and lane = $3 and status = 'succeeded'
    and thread_id is not null

-- name: load_earlier_answers
-- What the lane $3 of other replays ($2) has bought for the same thread or conversation, of the
-- first of them that has answered it.
select answers.turn, encode(answers.fingerprint, 'hex') as fingerprint, answers.response,
    false as is_unsettled
from (
    select items.replay_id, items.n from replay_items as items
    where items.tenant_id = $1 and items.replay_id = any($2::uuid[]) and items.lane = $3
        and items.thread_id is not distinct from $4::uuid
        and items.conversation::jsonb is not distinct from $5::json::jsonb
        and items.status = 'succeeded'
    order by array_position($2::uuid[], items.replay_id)
    limit 1
) as chosen
join replay_answers as answers
    on answers.tenant_id = $1 and answers.replay_id = chosen.replay_id and answers.lane = $3
    and answers.n = chosen.n
order by answers.turn, answers.call

-- name: finish_item
-- How an item ended; nothing when it has gone to somebody else.
update replay_items
set status = $5, result = $6, error_code = $7, error_message = $8, ended_at = now(),
    owner = null, lease_until = null
where tenant_id = $1 and replay_id = $2 and lane = $3 and n = $4 and fence = $9
    and status = 'running'
returning n

-- name: fail_items
-- Fail the items that no process works on.
update replay_items
set status = 'failed', error_code = $3, error_message = $4, ended_at = now(), owner = null,
    lease_until = null
where tenant_id = $1 and replay_id = $2
    and (status = 'queued' or (status = 'running' and lease_until <= now()))

-- name: stop_shadow
-- Stop a shadow's replay: else each new item would reopen it. Its shadow then ends with the reason.
update replays set status = 'stopped', ended_at = now()
where tenant_id = $1 and replay_id = $2 and ended_at is null and not cancel_requested
    and candidate ->> 'beside' is not null

-- name: drop_changed_answers
-- The paid answers, on every side, to conversations whose requests are others today.
delete from replay_answers
where tenant_id = $1 and replay_id = $2 and n in (
    select n from replay_items
    where tenant_id = $1 and replay_id = $2 and error_code = 'REPLAY_CHANGED'
)

-- name: requeue_failed_items
-- Open failed and cancelled items again, and every side of conversations whose requests are others
-- today: answers of then beside answers of today would not be compared fairly.
update replay_items
set status = 'queued', result = null, error_code = null, error_message = null, ended_at = null
where tenant_id = $1 and replay_id = $2 and (status in ('failed', 'cancelled') or n in (
    select n from replay_items
    where tenant_id = $1 and replay_id = $2 and error_code = 'REPLAY_CHANGED'
))

-- name: finish_replay
-- End a replay none of whose items is open, or one that is to stop.
update replays
set ended_at = now(), status = case
    when cancel_requested then 'cancelled'
    when exists (
        select from replay_items as items
        where items.tenant_id = $1 and items.replay_id = $2 and items.status <> 'succeeded'
    ) then 'failed'
    else 'succeeded'
end
where tenant_id = $1 and replay_id = $2 and ended_at is null
    and (cancel_requested or not exists (
        select from replay_items as items
        where items.tenant_id = $1 and items.replay_id = $2
            and items.status in ('queued', 'running')
    ))
returning status

-- name: stop_replay
-- Nobody goes on by itself: its items stay open, and so do batches that are on their way.
update replays set status = 'stopped', ended_at = now()
where tenant_id = $1 and replay_id = $2 and ended_at is null and not cancel_requested

-- name: list_ends
-- Of these replays ($2), what the item was told that met the limit of cost last ($3); of one that met
-- none, what most of its failed items were told.
select distinct on (replay_id) replay_id, error_message, items
from (
    select replay_id, error_message, count(*) as items, max(ended_at) as last_ended,
        error_code = $3 as is_stop
    from replay_items
    where tenant_id = $1 and replay_id = any($2::uuid[]) and error_message is not null
    group by replay_id, error_message, error_code
) as told
order by replay_id, is_stop desc, case when is_stop then 0 else items end desc, last_ended desc

-- name: list_costs
-- What these replays ($2) have cost so far, as the ledger has it; null where a price is not known.
select replay_id, case
    when count(*) filter (where cost_usd is null and status = 'succeeded') = 0
    then coalesce(sum(cost_usd), 0)
end as cost_usd
from llm_calls
where tenant_id = $1 and replay_id = any($2::uuid[])
group by replay_id

-- name: close_replay_calls
-- Calls of an ended replay that a crash cut off: what they used is not known.
update llm_calls
set status = 'cut', error_code = coalesce(error_code, 'CRASHED')
where tenant_id = $1 and replay_id = $2 and status = 'started'

-- name: reopen_replay
-- Work on an ended replay again; $3 null: with the limit of cost that it has. Not if its user has $4
-- that are open (null: any number).
update replays
set status = 'running', cancel_requested = false, ended_at = null, verdict = null,
    verdict_due = null, started_at = now(),
    max_cost_usd = coalesce($3::numeric, max_cost_usd)
where tenant_id = $1 and replay_id = $2 and (
    $4::int is null or $4 > (
        select count(*) from replays as other
        where other.tenant_id = $1 and other.user_id = replays.user_id and other.mode = 'live'
            and other.ended_at is null
    )
)

-- name: cancel_replay
-- Ask a replay's workers to stop.
update replays set cancel_requested = true
where tenant_id = $1 and replay_id = $2 and ended_at is null
    and ($3::text is null or user_id = $3)

-- name: load_spending
-- What a replay has cost so far, and how many of its calls have no known price; what those of
-- unknown cost take at most, without a batch's, and how many of them are being made. One that was
-- cut off counts at its most, but nothing of it comes back.
select coalesce(sum(cost_usd), 0) as cost_usd,
    count(*) filter (where cost_usd is null and status = 'succeeded') as unpriced,
    coalesce(sum(most_usd) filter (where cost_usd is null and processing is null), 0)
        as open_usd,
    count(*) filter (
        where status = 'started' and processing is null and created_at > now() - interval '5 minutes'
    ) as open_calls
from llm_calls
where tenant_id = $1 and replay_id = $2

-- name: summarize_lanes
-- The ledger of a replay: calls, those by a provider's batch API, failures, tokens, cost.
select count(*) as calls, count(*) filter (where status <> 'succeeded') as failed,
    count(*) filter (where processing = 'batch') as batched,
    {buckets: sum(@)::bigint as @},
    sum(cost_usd)::text as cost_usd
from llm_calls
where tenant_id = $1 and replay_id = $2

-- name: list_results
-- The ended items of a lane, in the source's order, from place $4 on.
select n, status, result, error_code, error_message
from replay_items
where tenant_id = $1 and replay_id = $2 and lane = $3 and n >= $4
order by n
limit $5

-- name: list_sources
-- What a lane's items replay, in the source's order, from place $4 on; what people say of each
-- (above 0: better), also person by person, its thread's name, and its tags: the thread's and its
-- runs'.
select n, thread_id, conversation,
    (
        select sum(case verdict when 'better' then 1 when 'worse' then -1 else 0 end)
        from replay_verdicts as said
        where said.tenant_id = $1 and said.replay_id = $2 and said.n = replay_items.n
    ) as balance,
    (
        select json_agg(
            json_build_object('user_id', user_id, 'verdict', verdict, 'note', note, 'turns', turns,
                'seen', seen)
            order by user_id
        )
        from replay_verdicts as said
        where said.tenant_id = $1 and said.replay_id = $2 and said.n = replay_items.n
    ) as judged,
    (
        select json_build_object(
            'title', title, 'kind', kind, 'user_id', user_id, 'created_at', created_at
        )
        from threads
        where threads.tenant_id = $1 and threads.thread_id = replay_items.thread_id
    ) as chat,
    (
        select array_agg(distinct tag order by tag)
        from (
            select unnest(threads.tags) as tag from threads
            where threads.tenant_id = $1 and threads.thread_id = replay_items.thread_id
            union all
            select unnest(runs.tags) from messages
            join runs on runs.tenant_id = $1 and runs.run_id = messages.run_id
            where messages.tenant_id = $1 and messages.thread_id = replay_items.thread_id
                and messages.role = 'user'
                and coalesce(conversation ->> 'run_id', runs.run_id::text) = runs.run_id::text
        ) as known
    ) as tags
from replay_items
where tenant_id = $1 and replay_id = $2 and lane = $3 and n >= $4
order by n
limit $5

-- name: list_hosted_replays
-- Replays of all tenants that services work on, and that have an item for one more worker; or none
-- that is open, where a process was killed between its last item's end and its own
-- (test_a_replay_ends_whose_process_was_killed_after_its_last_item). A shadow's without items waits.
-- $2: those that mostly wait, for a provider's batch or until live runs have ended; else the others.
select tenant_id, replay_id
from replays
where ended_at is null and source ->> 'host' = 'service'
    and $2 = (
        candidate ->> 'batch_api' is not distinct from 'true' or candidate ->> 'beside' is not null
    )
    and (
        cancel_requested or exists (
            select from replay_items as items
            where items.tenant_id = replays.tenant_id and items.replay_id = replays.replay_id
                and (
                    items.status = 'queued'
                    or (items.status = 'running' and items.lease_until <= now())
                )
        ) or exists (
            select from replay_items as items
            where items.tenant_id = replays.tenant_id and items.replay_id = replays.replay_id
        ) and not exists (
            select from replay_items as items
            where items.tenant_id = replays.tenant_id and items.replay_id = replays.replay_id
                and items.status in ('queued', 'running')
        )
    )
order by replay_id
limit $1

-- name: find_due_verdict
-- The ended replay, of any tenant, whose verdict became due last.
select tenant_id, replay_id, verdict_due from lab_due_verdicts()
order by verdict_due desc
limit 1

-- name: claim_verdict
-- For $4 seconds it is this process that computes the verdict that is due since $3; none if another
-- one does, or if it is due again.
update replays set verdict_due = clock_timestamp() + make_interval(secs => $4)
where tenant_id = $1 and replay_id = $2 and verdict_due = $3
returning verdict_due

-- name: save_verdict
-- What the user $4 says of the conversation $3; nothing when it is no part of the replay. $7: what
-- was seen, hidden or names. Who has seen the names has seen them: the same verdict stays, another
-- one is marked.
insert into replay_verdicts as said
    (tenant_id, replay_id, n, thread_id, user_id, verdict, note, seen)
select tenant_id, replay_id, n, thread_id, $4, $5, $6, $7 from replay_items
where tenant_id = $1 and replay_id = $2 and n = $3
limit 1
on conflict (tenant_id, replay_id, n, user_id) do update
set verdict = excluded.verdict, note = excluded.note, judged_at = now(), seen = case
    when said.seen is null or said.seen = 'names' then coalesce(said.seen, excluded.seen)
    when said.seen = 'hidden' and excluded.seen = 'hidden' then 'hidden'
    when said.verdict <> excluded.verdict then 'changed'
    when said.seen = 'hidden' and excluded.seen = 'names' then 'revealed'
    else said.seen
end
returning n

-- name: save_turn_verdict
-- What the user $4 says of the turn $5 of the conversation $3; the conversation's verdict is what
-- most turns come to. Nothing when it is no part of the replay.
insert into replay_verdicts as said
    (tenant_id, replay_id, n, thread_id, user_id, verdict, turns, seen)
select tenant_id, replay_id, n, thread_id, $4, $6::text,
    jsonb_build_object($5::text, jsonb_build_object('verdict', $6::text, 'note', $7::text)), $8
from replay_items
where tenant_id = $1 and replay_id = $2 and n = $3
limit 1
on conflict (tenant_id, replay_id, n, user_id) do update
set turns = said.turns || excluded.turns, judged_at = now(), seen = case
    when said.seen is null or said.seen = 'names' then coalesce(said.seen, excluded.seen)
    when said.seen = 'hidden' and excluded.seen = 'hidden' then 'hidden'
    when not jsonb_exists(said.turns, $5::text) and excluded.seen = 'names' then 'names'
    when said.turns -> $5::text ->> 'verdict' <> $6::text then 'changed'
    when said.seen = 'hidden' and excluded.seen = 'names' then 'revealed'
    else said.seen
end, verdict = (
    select case sign(sum(case told ->> 'verdict' when 'better' then 1 when 'worse' then -1 else 0 end))
        when 1 then 'better' when -1 then 'worse' else 'same'
    end
    from jsonb_each(said.turns || excluded.turns) as turn (place, told)
)
returning n

-- name: delete_turn_verdict
-- The user $4 takes back what was said of the turn $5.
update replay_verdicts as said
set turns = turns - $5::text, judged_at = now(), verdict = (
    select case sign(sum(case told ->> 'verdict' when 'better' then 1 when 'worse' then -1 else 0 end))
        when 1 then 'better' when -1 then 'worse' else 'same'
    end
    from jsonb_each(said.turns - $5::text) as turn (place, told)
)
where tenant_id = $1 and replay_id = $2 and n = $3 and user_id = $4
    and jsonb_exists(turns, $5::text)

-- name: delete_only_turn_verdict
-- The same where the user $4 has said nothing else of the conversation.
delete from replay_verdicts
where tenant_id = $1 and replay_id = $2 and n = $3 and user_id = $4
    and jsonb_exists(turns, $5::text) and turns - $5::text = '{}'

-- name: delete_verdict
-- The user $4 takes back what was said of the conversation $3.
delete from replay_verdicts
where tenant_id = $1 and replay_id = $2 and n = $3 and user_id = $4

-- name: list_verdicts
-- What people say of the conversation $3, the first first.
select user_id, verdict, note, judged_at, turns, seen from replay_verdicts
where tenant_id = $1 and replay_id = $2 and n = $3
order by judged_at, user_id

-- name: count_verdicts
-- Of how many conversations most people say what; as many better as worse is the same. named: of
-- how many some verdict was given by who saw the names of the sides.
select count(*) filter (where balance > 0) as better, count(*) filter (where balance < 0) as worse,
    count(*) filter (where balance = 0) as same, count(*) filter (where is_named) as named
from (
    select sum(case verdict when 'better' then 1 when 'worse' then -1 else 0 end) as balance,
        coalesce(bool_or(seen in ('changed', 'names')), false) as is_named
    from replay_verdicts
    where tenant_id = $1 and replay_id = $2
    group by n
) as judged
