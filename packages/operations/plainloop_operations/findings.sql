-- name: count_noteworthy
-- Webhooks that were disabled and schedules that have no next time, of all tenants.
select
    (select count(*) from webhooks where disabled_at is not null)::int as disabled_webhooks,
    (
        select count(*) from schedules where next_at is null and paused_at is null
    )::int as stopped_schedules
