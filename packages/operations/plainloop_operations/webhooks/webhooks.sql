-- name: take_turn
-- Webhooks of a user are counted and made one after the other.
select pg_advisory_xact_lock(hashtextextended($1 || chr(31) || coalesce($2, ''), 76))

-- name: save_webhook
-- A new one; none when there are $7 for the same user.
insert into webhooks (tenant_id, webhook_id, user_id, url, secret, events)
select $1, $2, $3, $4, $5, $6
where $7 > (
    select count(*) from webhooks where tenant_id = $1 and user_id is not distinct from $3
)
returning true

-- name: list_model_tenants
-- Tenants that want to be told of changes of models.
select distinct tenant_id from webhooks
where disabled_at is null and user_id is null and events && '{model.ending, model.changed}'::text[]
    and not exists (select from held_tenants where held_tenants.tenant_id = webhooks.tenant_id)

-- name: tell_ending
-- Tell the tenant's own webhooks of a shutdown date, each once.
with told as (
    insert into told_endings (tenant_id, webhook_id, provider, models, ends, successor)
    select $1, webhook_id, $2, $3, $4, $5 from webhooks
    where tenant_id = $1 and user_id is null and disabled_at is null
        and 'model.ending' = any (events)
    on conflict do nothing
    returning webhook_id
)
insert into webhook_deliveries (tenant_id, webhook_id, event, data)
select $1, webhook_id, 'model.ending', $6 from told

-- name: tell_change
-- Tell the tenant's own webhooks of a price change or a re-route, each once.
with told as (
    insert into told_changes (tenant_id, webhook_id, provider, models, at, change)
    select $1, webhook_id, $2, $3, $4, $5 from webhooks
    where tenant_id = $1 and user_id is null and disabled_at is null
        and 'model.changed' = any (events)
    on conflict do nothing
    returning webhook_id
)
insert into webhook_deliveries (tenant_id, webhook_id, event, data)
select $1, webhook_id, 'model.changed', $6 from told

-- name: list_webhooks
-- Those of user $2 (null: everybody's, and the tenant's own), with what waits and the last answer.
select webhook_id, user_id, url, events, created_at, disabled_at, disabled_reason,
    (
        select count(*) from webhook_deliveries
        where tenant_id = $1 and webhook_deliveries.webhook_id = webhooks.webhook_id
            and due_at is not null
    )::int as waiting
from webhooks
where tenant_id = $1 and ($2::text is null or user_id = $2)
order by created_at, webhook_id

-- name: list_deliveries
-- The newest $3 of a webhook.
select message_id, event, data, created_at, attempts, due_at, delivered_at, status, answer
from webhook_deliveries
where tenant_id = $1 and webhook_id = $2
order by delivery_id desc
limit $3

-- name: has_webhook
-- Whether there is such a one of user $3 (null: of anybody).
select true from webhooks
where tenant_id = $1 and webhook_id = $2 and ($3::text is null or user_id = $3)

-- name: delete_webhook
-- With all that it still had to tell.
delete from webhooks
where tenant_id = $1 and webhook_id = $2 and ($3::text is null or user_id = $3)

-- name: enable_webhook
-- What waited is sent again, from the first attempt on.
with enabled as (
    update webhooks set disabled_at = null, disabled_reason = null
    where tenant_id = $1 and webhook_id = $2 and ($3::text is null or user_id = $3)
    returning webhook_id
), begun as (
    update webhook_deliveries set attempts = 0, due_at = now()
    from enabled
    where tenant_id = $1 and webhook_deliveries.webhook_id = enabled.webhook_id
        and due_at is not null
)
select webhook_id from enabled

-- name: claim_deliveries
-- Up to $1 that are due, of all tenants, for $2 seconds: in turns by webhook, of each run only the
-- first that was not delivered.
with due as (
    select tenant_id, delivery_id,
        row_number() over (partition by tenant_id, webhook_id order by due_at) as place
    from webhook_deliveries as one
    where due_at <= now()
        and not exists (select from held_tenants where held_tenants.tenant_id = one.tenant_id)
        and exists (
            select from webhooks
            where webhooks.tenant_id = one.tenant_id and webhooks.webhook_id = one.webhook_id
                and disabled_at is null
        )
        and not exists (
            select from webhook_deliveries as earlier
            where earlier.tenant_id = one.tenant_id and earlier.webhook_id = one.webhook_id
                and earlier.run_id = one.run_id and earlier.due_at is not null
                and earlier.delivery_id < one.delivery_id
        )
), found as (
    select tenant_id, delivery_id from webhook_deliveries join due using (tenant_id, delivery_id)
    where due_at <= now()  -- again: somebody may have claimed it since
    order by place, due_at
    limit $1
    for update of webhook_deliveries skip locked
)
update webhook_deliveries as one
set attempts = attempts + 1, due_at = now() + make_interval(secs => $2)
from found join webhooks using (tenant_id)
where one.tenant_id = found.tenant_id and one.delivery_id = found.delivery_id
    and webhooks.webhook_id = one.webhook_id
returning one.tenant_id, one.delivery_id, one.webhook_id, message_id, event, data, one.created_at,
    attempts, url, secret

-- name: settle_delivery
-- What attempt $3 came to: $4 the status, $5 the answer; sent again in $6 seconds, null: delivered.
-- Of a webhook that another attempt has disabled meanwhile, never: what is due is work to look for.
update webhook_deliveries
set status = $4, answer = $5,
    due_at = case when $6::float8 is not null and exists (
        select from webhooks
        where webhooks.tenant_id = $1 and webhooks.webhook_id = webhook_deliveries.webhook_id
            and disabled_at is not null
    ) then 'infinity'::timestamptz else now() + make_interval(secs => $6) end,
    delivered_at = case when $6::float8 is null then now() end
where tenant_id = $1 and delivery_id = $2 and attempts = $3

-- name: disable_webhook
-- It is told nothing any more, for the reason $3; what waits is kept, and not looked at.
with disabled as (
    update webhooks set disabled_at = now(), disabled_reason = $3
    where tenant_id = $1 and webhook_id = $2 and disabled_at is null
    returning webhook_id
)
update webhook_deliveries set due_at = 'infinity'
from disabled
where tenant_id = $1 and webhook_deliveries.webhook_id = disabled.webhook_id
    and due_at is not null

-- name: delete_old_deliveries
-- Some of what webhooks were told more than a week ago.
delete from webhook_deliveries
where (tenant_id, delivery_id) in (
    select tenant_id, delivery_id from webhook_deliveries where delivered_at < now() - interval '7 days' limit $1
)
