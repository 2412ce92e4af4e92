-- The verdict of a running shadow's replay is no work yet, as `find_due_verdict` says.
create or replace function plainloop_has_replays() returns boolean language sql stable as $$
    select exists (select from replays where ended_at is null and source ->> 'host' = 'service')
        or exists (select from advices where ended_at is null)
        or exists (
            select from replays where verdict_due <= now() and ended_at is not null and not exists (
                select from held_tenants where held_tenants.tenant_id = replays.tenant_id
            ) and not exists (
                select from rollouts
                where rollouts.tenant_id = replays.tenant_id
                    and rollouts.replay_id = replays.replay_id and rollouts.status = 'running'
            )
        )
$$;
