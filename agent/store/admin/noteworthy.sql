-- name: count_noteworthy
-- What an operator should know, of all tenants: webhooks that were disabled, keys that soon end,
-- schedules that have no next time.
select
    (select count(*) from webhooks where disabled_at is not null)::int as disabled_webhooks,
    (
        select count(*) from api_keys
        where revoked_at is null and expires_at between now() and now() + interval '14 days'
    )::int as ending_keys,
    (
        select count(*) from schedules where next_at is null and paused_at is null
    )::int as stopped_schedules
