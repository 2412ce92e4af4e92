-- What functions, triggers and statements of the service had done for us, and do no more.

-- A number from 0 to 1 by which a thread or run is drawn: the same everywhere, for ever.
create or replace function plainloop_draw(salt text, id uuid) returns double precision
language sql immutable as $$
    select ('x' || left(md5(salt || id::text), 8))::bit(32)::bigint / 4294967296.0::float8
$$;

-- Assign a chat's run that begins to what runs beside it; the canary whose candidate answers it.
create function lab_assign(tenant text, thread uuid, run uuid) returns uuid
language plpgsql as $$
declare
    canary uuid;
begin
    -- Where nothing runs beside, a turn pays for one look at an empty index.
    if not exists (select from rollouts where tenant_id = tenant and status = 'running') then
        return null;
    end if;
    insert into rollout_runs (tenant_id, run_id, rollout_id, thread_id, side, turn, share)
    select tenant, run, rollout_id, thread,
        case
            when drawn.kind = 'shadow' then 'sampled'
            when before.turns > 0 then before.side  -- a thread keeps its side when the share grows
            when draw < drawn.share then 'candidate'
            else 'baseline'
        end,
        before.turns + 1,
        case when before.turns > 0 then before.share else drawn.share end
    from (
        select rollout_id, kind,
            plainloop_draw(salt, case when kind = 'canary' then thread else run end) as draw,
            -- Counted are threads of both sides, so that who is drawn does not tell of anybody.
            case
                when kind = 'canary' and share > 0.2 and 1000 > (
                    select count(*) from (
                        select from rollout_runs as earlier
                        where earlier.tenant_id = tenant
                            and earlier.rollout_id = rollouts.rollout_id and earlier.turn = 1
                        limit 1000
                    ) as first_turns
                ) then 0.2
                else share
            end as share
        from rollouts
        where tenant_id = tenant and status = 'running'
    ) as drawn
    cross join lateral (
        select count(*) as turns, max(side) as side, max(earlier.share) as share
        from rollout_runs as earlier
        where earlier.tenant_id = tenant and earlier.rollout_id = drawn.rollout_id
            and earlier.thread_id = thread
    ) as before
    join threads on threads.tenant_id = tenant and threads.thread_id = thread
    where threads.kind = 'chat' and (draw < drawn.share or drawn.kind = 'canary')
    on conflict do nothing;
    select rollout_id into canary from rollout_runs
    where tenant_id = tenant and run_id = run and side = 'candidate';
    return canary;
end
$$;

-- A conversation that is imported gets the times of then: it is none of what a canary or a shadow
-- answers.
create function lab_forget_imported() returns trigger language plpgsql as $$
begin
    delete from rollout_runs where tenant_id = new.tenant_id and run_id = new.run_id;
    return null;
end
$$;
create trigger forget_imported after update of created_at on runs for each row
when (new.created_at <> old.created_at) execute function lab_forget_imported();

-- With a thread goes what calls of its replays said (a call does not know its conversation, so of
-- all), with a replay what it holds; but for a tenant that has moved.
create function lab_erase() returns trigger language plpgsql as $$
begin
    if old.tenant_id = current_setting('app.moved_tenant', true) then
        return null;
    elsif tg_table_name = 'replays' then
        delete from replay_items where tenant_id = old.tenant_id and replay_id = old.replay_id;
        return null;
    end if;
    update llm_calls set extra_messages = null, response = null, notes = null, error_message = null
    where tenant_id = old.tenant_id and replay_id in (
        select replay_id from replay_items
        where tenant_id = old.tenant_id and thread_id = old.thread_id
    );
    return null;
end
$$;
create trigger erase_replayed after delete on threads for each row execute function lab_erase();
create trigger erase_items after delete on replays for each row execute function lab_erase();

-- Whether there is work for a process (plainloop_find_work).
create function plainloop_has_replays() returns boolean language sql stable as $$
    select exists (select from replays where ended_at is null and source ->> 'host' = 'service')
$$;
create function plainloop_has_rollouts() returns boolean language sql stable as $$
    select exists (select from rollouts where status = 'running')
$$;
