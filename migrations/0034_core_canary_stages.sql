-- A canary's share may be greater than what is prudent at first: its first threads are drawn with a
-- smaller one. Between two equal halves a loss of ten points takes half as many turns again of the
-- candidate to be seen, whatever the test (docs/decisions/0023).

-- What the run's thread was drawn with; null: the rollout's own, of runs before this column.
alter table rollout_runs add column share double precision;

create index rollout_runs_first on rollout_runs (tenant_id, rollout_id) where turn = 1;

create or replace function plainloop_assign(tenant text, thread uuid, run uuid) returns uuid
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
