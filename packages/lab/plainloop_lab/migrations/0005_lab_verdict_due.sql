-- Since when an ended replay's verdict is to be computed, for lists: since its end, or since people
-- judged one of its answers. null: it is known, or nobody asked.
alter table replays add column verdict_due timestamptz;
create index replays_verdict_due on replays (verdict_due) where verdict_due is not null;

create function lab_ask_verdict() returns trigger language plpgsql as $$
declare
    changed record;
begin
    if tg_op = 'DELETE' then
        changed := old;
    else
        changed := new;
    end if;
    -- A tenant that has moved brings its verdicts along.
    if changed.tenant_id is distinct from current_setting('app.moved_tenant', true) then
        update replays set verdict_due = clock_timestamp()
        where tenant_id = changed.tenant_id and replay_id = changed.replay_id
            and ended_at is not null;
    end if;
    return null;
end
$$;
create trigger ask_verdict after update of ended_at on replays for each row
when (old.ended_at is null and new.ended_at is not null) execute function lab_ask_verdict();
create trigger ask_verdict after insert or update or delete on replay_verdicts for each row
execute function lab_ask_verdict();

-- Those whose report nobody has read. Forced row-level security would hide every row from the
-- migration itself.
do $$
declare
    was_forced boolean := (
        select relforcerowsecurity from pg_class where oid = 'replays'::regclass
    );
begin
    alter table replays no force row level security;
    update replays set verdict_due = clock_timestamp()
    where ended_at is not null and verdict is null;
    if was_forced then
        alter table replays force row level security;
    end if;
end
$$;

-- Verdicts and advice are work for whoever works on replays.
create or replace function plainloop_has_replays() returns boolean language sql stable as $$
    select exists (select from replays where ended_at is null and source ->> 'host' = 'service')
        or exists (select from advices where ended_at is null)
        or exists (
            select from replays where verdict_due <= now() and ended_at is not null and not exists (
                select from held_tenants where held_tenants.tenant_id = replays.tenant_id
            )
        )
$$;
