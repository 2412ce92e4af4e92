-- name: take_turn
-- Schedules of a user are counted and made one after the other.
select pg_advisory_xact_lock(hashtextextended($1 || chr(31) || $2, 77))

-- name: save_schedule
-- A new one; none when the user has $10.
insert into schedules
    (tenant_id, schedule_id, user_id, name, cron, time_zone, message, missed, next_at, task)
select $1, $2, $3, $4, $5, $6, $7, $8, $9, $11::json
where $10 > (select count(*) from schedules where tenant_id = $1 and user_id = $3)
returning true

-- name: list_schedules
-- Those of user $2 (null: everybody's), the oldest first; or ($3) one.
select schedule_id, user_id, name, cron, time_zone, message, missed, next_at, paused_at, created_at,
    task
from schedules
where tenant_id = $1 and ($2::text is null or user_id = $2) and ($3::uuid is null or schedule_id = $3)
order by created_at, schedule_id

-- name: list_history
-- The newest $3 due times of a schedule.
select due_at, status, reason, thread_id as conversation_id, run_id, at from schedule_runs
where tenant_id = $1 and schedule_id = $2
order by due_at desc
limit $3

-- name: set_pause
-- It stands still, or goes on with what is due next: $4, null while it stands.
update schedules
set next_at = $4, paused_at = case when $4::timestamptz is null then now() end
where tenant_id = $1 and schedule_id = $2 and ($3::text is null or user_id = $3)

-- name: delete_schedule
-- With its history; its conversations stay.
delete from schedules
where tenant_id = $1 and schedule_id = $2 and ($3::text is null or user_id = $3)

-- name: list_due
-- Up to $1 that are due, of all tenants, the longest waiting first.
select tenant_id, schedule_id from schedules
where next_at <= now()
    and not exists (select from held_tenants where held_tenants.tenant_id = schedules.tenant_id)
order by next_at
limit $1

-- name: hold_due
-- One that is due still, for whoever begins its run now: the others pass on. is_busy: its last run
-- has not ended.
select schedule_id, user_id, name, cron, time_zone, message, missed, next_at, task,
    exists (
        select from schedule_runs
        join runs on runs.tenant_id = $1 and runs.run_id = schedule_runs.run_id
        where schedule_runs.tenant_id = $1 and schedule_runs.schedule_id = $2
            and runs.status in ('queued', 'running', 'waiting')
    ) as is_busy
from schedules
where tenant_id = $1 and schedule_id = $2 and next_at <= now()
for update of schedules skip locked

-- name: record_due
-- What became of due time $3, and ($9) the next one. Of a schedule a hundred are kept.
with old as (
    delete from schedule_runs
    where tenant_id = $1 and schedule_id = $2 and due_at < (
        select due_at from schedule_runs
        where tenant_id = $1 and schedule_id = $2
        order by due_at desc offset 99 limit 1
    )
), recorded as (
    insert into schedule_runs
        (tenant_id, schedule_id, due_at, user_id, thread_id, run_id, status, reason)
    values ($1, $2, $3, $4, $5, $6, $7, $8)
)
update schedules set next_at = $9
where tenant_id = $1 and schedule_id = $2
