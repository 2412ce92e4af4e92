-- Shadows and canaries: a candidate beside what is served, and which runs it was given.

create table rollouts (
    tenant_id text not null,
    rollout_id uuid not null,
    -- shadow: ended runs are replayed. canary: the candidate answers for real.
    kind text not null check (kind in ('shadow', 'canary')),
    -- Who began it.
    user_id text not null,
    -- returned: by itself, for the reason that stands beside it.
    status text not null default 'running' check (status in ('running', 'stopped', 'returned')),
    share double precision not null check (share > 0 and share <= 1),
    -- Drawn when it began: with it nobody can tell a thread's side before.
    salt text not null,
    -- What the candidate changes: {"settings", "prompts", "design"}.
    candidate json not null,
    -- A canary's guards: measures with their margins, own checks, alpha.
    guards json,
    -- What the guards have seen so far.
    state json,
    -- A shadow's standing replay.
    replay_id uuid,
    reason text,
    verdict json,
    created_at timestamptz not null default now(),
    ended_at timestamptz,
    primary key (tenant_id, rollout_id)
);
create unique index rollouts_running on rollouts (tenant_id, kind) where status = 'running';

-- An assignment: written in the statement that begins the run, so that it is the same on every
-- replica, and stays whoever goes on with the run.
create table rollout_runs (
    tenant_id text not null,
    run_id uuid not null,
    rollout_id uuid not null,
    thread_id uuid not null,
    side text not null check (side in ('sampled', 'candidate', 'baseline')),
    -- 1, 2, 3 … of its thread within the rollout.
    turn integer not null,
    -- When it became an item of the replay, or the guards saw it; null: not yet.
    taken_at timestamptz,
    -- What the guards measured, by name; null: nothing that counts.
    measured json,
    created_at timestamptz not null default now(),
    primary key (tenant_id, run_id, rollout_id)
);
create index rollout_runs_open on rollout_runs (tenant_id, rollout_id, run_id)
    where taken_at is null;
create index rollout_runs_by_thread on rollout_runs (tenant_id, rollout_id, thread_id);

select plainloop_protect(name::regclass) from unnest(array['rollouts', 'rollout_runs']) as name;
select plainloop_open_to_operator('rollouts', 'select');

-- A number from 0 to 1 by which a thread or run is drawn: the same everywhere, for ever.
create function plainloop_draw(salt text, id uuid) returns double precision
language sql immutable as $$
    select ('x' || left(md5(salt || id::text), 8))::bit(32)::bigint / 4294967296.0::float8
$$;

-- Assign a chat's run that begins to what runs beside it; the canary whose candidate answers it.
create function plainloop_assign(tenant text, thread uuid, run uuid) returns uuid
language plpgsql as $$
declare
    canary uuid;
begin
    -- Where nothing runs beside, a turn pays for one look at an empty index.
    if not exists (select from rollouts where tenant_id = tenant and status = 'running') then
        return null;
    end if;
    insert into rollout_runs (tenant_id, run_id, rollout_id, thread_id, side, turn)
    select tenant, run, rollout_id, thread,
        case
            when drawn.kind = 'shadow' then 'sampled'
            when is_drawn then 'candidate'
            else 'baseline'
        end,
        (
            select count(*) + 1 from rollout_runs as earlier
            where earlier.tenant_id = tenant and earlier.rollout_id = drawn.rollout_id
                and earlier.thread_id = thread
        )
    from (
        select rollout_id, kind, plainloop_draw(
            salt, case when kind = 'canary' then thread else run end
        ) < share as is_drawn
        from rollouts
        where tenant_id = tenant and status = 'running'
    ) as drawn
    join threads on threads.tenant_id = tenant and threads.thread_id = thread
    where threads.kind = 'chat' and (is_drawn or drawn.kind = 'canary')
    on conflict do nothing;
    select rollout_id into canary from rollout_runs
    where tenant_id = tenant and run_id = run and side = 'candidate';
    return canary;
end
$$;
