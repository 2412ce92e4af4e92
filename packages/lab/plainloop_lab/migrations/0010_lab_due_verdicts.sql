-- Ended replays whose verdict is due: none of a tenant that is held, of which nothing can be
-- written, nor of a running shadow: its replay ends whenever nothing waits, and each report is of
-- all its conversations (test_a_running_shadows_verdict_waits_for_its_end).
create function lab_due_verdicts()
returns table (tenant_id text, replay_id uuid, verdict_due timestamptz) language sql stable as $$
    select replays.tenant_id, replays.replay_id, replays.verdict_due from replays
    where replays.verdict_due <= now() and replays.ended_at is not null and not exists (
        select from held_tenants where held_tenants.tenant_id = replays.tenant_id
    ) and not exists (
        select from rollouts
        where rollouts.tenant_id = replays.tenant_id and rollouts.replay_id = replays.replay_id
            and rollouts.status = 'running'
    )
$$;

-- Verdicts and advice are work for whoever works on replays.
create or replace function plainloop_has_replays() returns boolean language sql stable as $$
    select exists (select from replays where ended_at is null and source ->> 'host' = 'service')
        or exists (select from advices where ended_at is null)
        or exists (select from lab_due_verdicts())
$$;
