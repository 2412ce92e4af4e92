-- name: lock_replay
-- One process at a time decides what a replay's next batch may cost.
select cancel_requested, max_cost_usd from replays
where tenant_id = $1 and replay_id = $2
for update

-- name: load_committed
-- The most that requests may cost whose outcome is not known; how many have no known price.
select coalesce(sum(most_usd), 0) as most_usd, count(*) as requests,
    count(*) filter (where most_usd is null) as unpriced
from replay_batch_requests
where tenant_id = $1 and replay_id = $2 and status = 'open'

-- name: find_batch
-- Whether the batch is written.
select n from replay_batches where tenant_id = $1 and batch_id = $2

-- name: insert_batch
-- A batch that is about to be handed in; its number.
insert into replay_batches
    (tenant_id, batch_id, replay_id, user_id, n, provider, model, endpoint, handle, status,
    requests, owner, lease_until)
select $1, $2, $3, $4, coalesce(max(n), 0) + 1, $5, $6, $7, $8, 'submitting', $9, $10,
    now() + make_interval(secs => $11)
from replay_batches
where tenant_id = $1 and replay_id = $3
returning n, created_at

-- name: insert_batch_requests
-- Its requests ($4: a list), each of an item that its owner still holds.
insert into replay_batch_requests
    (tenant_id, batch_id, place, replay_id, lane, n, turn, call, user_id, thread_id, call_id,
    fingerprint, most_usd)
select $1, $2, new.place, $3, new.lane, new.n, new.turn, new.call, items.user_id,
    items.thread_id, new.call_id, decode(new.fingerprint, 'hex'), new.most_usd
from json_to_recordset($4::json) as new (
    place int, lane text, n int, turn int, call int, call_id uuid, fingerprint text,
    most_usd numeric, fence bigint
)
join replay_items as items on items.tenant_id = $1 and items.replay_id = $3
    and items.lane = new.lane and items.n = new.n and items.fence = new.fence
    and items.status = 'running'
returning place

-- name: hold_batch
-- A lease from now on, before the batch is handed in; nothing when it has gone to somebody else.
update replay_batches set lease_until = now() + make_interval(secs => $4)
where tenant_id = $1 and batch_id = $2 and fence = $3 and status = 'submitting'
returning n

-- name: mark_submitted
-- The provider has the batch; nothing when it has gone to somebody else.
update replay_batches
set status = 'open', provider_batch_id = $4, expires_at = $5, answered = $6
where tenant_id = $1 and batch_id = $2 and fence = $3 and status in ('submitting', 'open')
returning n

-- name: end_batch
-- No request of it waits any more ($4: ended or lost); nothing when it has gone to somebody else.
update replay_batches
set status = $4, ended_at = now(), owner = null, lease_until = null, answered = case
    when $4 = 'ended' then requests else answered end
where tenant_id = $1 and batch_id = $2 and fence = $3 and status in ('submitting', 'open')
returning n

-- name: load_status
-- How far a batch is.
select status from replay_batches where tenant_id = $1 and batch_id = $2

-- name: record_outcomes
-- What became of requests ($3: a list); each is recorded once.
update replay_batch_requests
set status = new.status, outcome = new.outcome
from json_to_recordset($3::json) as new (place int, status text, outcome json)
where tenant_id = $1 and batch_id = $2 and replay_batch_requests.place = new.place
    and replay_batch_requests.status = 'open'
returning replay_batch_requests.place

-- name: list_open_requests
-- A batch's requests without an outcome, with what the ledger has of them.
select requests.place, requests.call_id,
    coalesce(calls.estimated_input_tokens, 0) as estimated_input_tokens
from replay_batch_requests as requests
left join llm_calls as calls
    on calls.tenant_id = $1 and calls.call_id = requests.call_id
where requests.tenant_id = $1 and requests.batch_id = $2 and requests.status = 'open'
order by requests.place

-- name: find_request
-- The request of a call that is on its way, or answered, at the same model.
select requests.batch_id, requests.place
from replay_batch_requests as requests
join replay_batches as batches on batches.tenant_id = $1 and batches.batch_id = requests.batch_id
where requests.tenant_id = $1 and requests.replay_id = $2 and requests.lane = $3
    and requests.n = $4 and requests.turn = $5 and requests.call = $6
    and requests.fingerprint = decode($7::text, 'hex')
    and batches.provider = $8 and batches.model = $9
    and requests.status in ('open', 'succeeded')
    and (requests.status = 'open' or requests.outcome is not null)
order by batches.n desc
limit 1

-- name: load_outcome
-- What became of one request.
select status, outcome from replay_batch_requests
where tenant_id = $1 and batch_id = $2 and place = $3

-- name: list_known
-- Of requests ($2: a list) those whose outcome is known.
select requests.batch_id, requests.place
from json_to_recordset($2::json) as asked (batch_id uuid, place int)
join replay_batch_requests as requests on requests.tenant_id = $1
    and requests.batch_id = asked.batch_id and requests.place = asked.place
where requests.status <> 'open'

-- name: list_batch_ids
-- Batches at the provider that belong to other batches than $2.
select provider_batch_id from replay_batches
where tenant_id = $1 and batch_id <> $2 and provider_batch_id is not null
    and created_at >= $3::timestamptz - interval '1 day'

-- name: drop_taken_outcomes
-- Of conversations that have ended well: their answers are kept elsewhere.
update replay_batch_requests as requests
set outcome = null
from replay_items as items
where requests.tenant_id = $1 and requests.replay_id = $2 and requests.outcome is not null
    and items.tenant_id = $1 and items.replay_id = $2 and items.lane = requests.lane
    and items.n = requests.n and items.status = 'succeeded'
