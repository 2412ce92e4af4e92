-- name: insert_rollout
-- Begin one; it meets `rollouts_running` where one of its kind runs already.
insert into rollouts
    (tenant_id, rollout_id, kind, user_id, share, salt, candidate, guards, replay_id)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: load_rollout
-- One by its id, or ($2 null) the newest of the kind $3.
select rollout_id, kind, status, share, candidate, guards, state, replay_id, reason, verdict,
    created_at
from rollouts
where tenant_id = $1 and ($2::uuid is null or rollout_id = $2) and ($3::text is null or kind = $3)
order by created_at desc, rollout_id desc
limit 1

-- name: hold_rollout
-- One that runs, for whoever looks at it now: the others pass on.
select rollout_id, kind, status, share, candidate, guards, state, replay_id, reason, verdict,
    created_at
from rollouts
where tenant_id = $1 and rollout_id = $2 and status = 'running'
for update skip locked

-- name: list_running
-- What runs, of all tenants.
select tenant_id, rollout_id, kind from rollouts where status = 'running' order by rollout_id

-- name: end_rollout
-- It assigns no more runs; the first word stands.
update rollouts
set status = $3, reason = $4, verdict = $5, ended_at = now()
where tenant_id = $1 and rollout_id = $2 and status = 'running'

-- name: save_state
-- What the guards know now.
update rollouts set state = $3 where tenant_id = $1 and rollout_id = $2

-- name: count_sides
-- Threads and runs of each side, and those that nobody has taken yet.
select side, count(distinct thread_id) as threads, count(*) as runs,
    count(*) filter (where taken_at is null) as waiting
from rollout_runs
where tenant_id = $1 and rollout_id = $2
group by side
order by side

-- name: add_items
-- Sampled runs that have ended become items of the standing replay $3, one in each of its lanes
-- $5, as long as fewer than $4 conversations are open there. One that has no answer, or whose
-- answer a canary's candidate gave, is none.
with sampled as (
    select rollout_runs.run_id, rollout_runs.thread_id, runs.ended_at, runs.input_position,
        runs.status in ('succeeded', 'limit') and not exists (
            select from rollout_runs as other
            where other.tenant_id = $1 and other.run_id = rollout_runs.run_id
                and other.side = 'candidate'
        ) as is_item
    from rollout_runs
    join runs on runs.tenant_id = $1 and runs.run_id = rollout_runs.run_id
    where rollout_runs.tenant_id = $1 and rollout_runs.rollout_id = $2
        and rollout_runs.taken_at is null and runs.ended_at is not null
    order by runs.ended_at, rollout_runs.run_id
    limit greatest(0, $4 - (
        select count(*) from replay_items
        where tenant_id = $1 and replay_id = $3 and lane = ($5::text[])[1]
            and status in ('queued', 'running')
    ))
), taken as (
    update rollout_runs set taken_at = now()
    from sampled
    where rollout_runs.tenant_id = $1 and rollout_runs.rollout_id = $2
        and rollout_runs.run_id = sampled.run_id
)
insert into replay_items (tenant_id, replay_id, user_id, n, lane, thread_id, conversation, status)
select $1, $3, replays.user_id,
    (
        select coalesce(max(n), -1) from replay_items
        where tenant_id = $1 and replay_id = $3
    ) + dense_rank() over (order by sampled.ended_at, sampled.run_id),
    lane, sampled.thread_id,
    json_build_object('run_id', sampled.run_id, 'position', sampled.input_position), 'queued'
from sampled
join replays on replays.tenant_id = $1 and replays.replay_id = $3
cross join unnest($5::text[]) as lane
where sampled.is_item

-- name: open_replay
-- Let services work on the standing replay again: it ends whenever nothing of it is open.
update replays set status = 'running', ended_at = null
where tenant_id = $1 and replay_id = $2 and status in ('succeeded', 'failed')
    and exists (
        select from replay_items
        where tenant_id = $1 and replay_id = $2 and status in ('queued', 'running')
    )

-- name: list_ended_runs
-- Assigned runs that have ended, and that the guards have not seen, in the order of assignment: up
-- to the first one that is open and was assigned less than $4 seconds ago.
with untaken as (
    select rollout_runs.run_id, rollout_runs.thread_id, rollout_runs.side, rollout_runs.turn,
        coalesce(rollout_runs.share, rollouts.share) as share, runs.status, runs.ended_at,
        row_number() over (order by rollout_runs.created_at, rollout_runs.run_id) as place,
        runs.ended_at is null
            and rollout_runs.created_at > now() - $4::float8 * interval '1 second' as is_awaited
    from rollout_runs
    join rollouts on rollouts.tenant_id = $1 and rollouts.rollout_id = $2
    join runs on runs.tenant_id = $1 and runs.run_id = rollout_runs.run_id
    where rollout_runs.tenant_id = $1 and rollout_runs.rollout_id = $2
        and rollout_runs.taken_at is null
)
select run_id, thread_id, side, turn, share, status
from untaken
where ended_at is not null
    and place < coalesce((select min(place) from untaken where is_awaited), 9223372036854775807)
order by place
limit $3

-- name: record_measured
-- What was measured in runs ($3: a list of run_id, measured).
update rollout_runs set taken_at = now(), measured = new.measured
from json_to_recordset($3::json) as new (run_id uuid, measured json)
where tenant_id = $1 and rollout_id = $2 and rollout_runs.run_id = new.run_id
