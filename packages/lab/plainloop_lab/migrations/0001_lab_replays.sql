-- adopts: replays
-- Replays, candidates beside the version that serves, and verdicts on them.

-- A replay of conversations, and what is compared.
create table replays (
    tenant_id text not null, replay_id uuid not null, user_id text not null,
    mode text not null check (mode in ('recorded', 'live')),
    status text not null check (
        status in ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'stopped')
    ),
    -- Where the conversations come from, and what is compared (lanes, history, tools, judge).
    source json not null,
    candidate json not null, cancel_requested boolean not null default false,
    max_cost_usd numeric, -- What was spent is in the ledger, whose rows name the replay.
    created_at timestamptz not null default now(), started_at timestamptz, ended_at timestamptz,
    primary key (tenant_id, replay_id)
);
-- Replays to work on: few, however many have ended.
create index replays_open on replays (tenant_id, replay_id) where ended_at is null;

-- One conversation in one lane of a replay; claimed like a run.
create table replay_items (
    tenant_id text not null, replay_id uuid not null, n integer not null check (n >= 0),
    lane text not null,
    user_id text not null, -- Who replays, and whose thread: so that erasing either finds it.
    thread_id uuid, -- The stored source, or the imported conversation itself.
    conversation json,
    status text not null check (
        status in ('queued', 'running', 'succeeded', 'failed', 'cancelled')
    ),
    owner text, fence bigint not null default 0, lease_until timestamptz,
    attempt integer not null default 0,
    result json, -- What came of its turns. The answers are in replay_answers.
    error_code text, error_message text, started_at timestamptz, ended_at timestamptz,
    primary key (tenant_id, replay_id, lane, n)
);
-- Items that can be claimed; shrinks as the batch proceeds.
create index replay_items_open on replay_items (tenant_id, replay_id, n)
where status in ('queued', 'running');

-- Every answer that a replay paid for, as it came. A replica that continues the item begins with
-- them.
create table replay_answers (
    tenant_id text not null, replay_id uuid not null, lane text not null, n integer not null,
    turn integer not null,
    call integer not null, -- 0, 1, 2 … within the turn.
    user_id text not null, -- As in replay_items.
    thread_id uuid, fingerprint bytea not null, response json not null,
    primary key (tenant_id, replay_id, lane, n, turn, call)
);

-- A batch at a provider: one request of each conversation that was ready for it.
create table replay_waves (
    tenant_id text not null, wave_id uuid not null, replay_id uuid not null,
    user_id text not null, -- Who replays.
    n integer not null, -- 1, 2, 3 … within the replay.
    provider text not null, model text not null, endpoint text not null,
    -- Whose settings have the key and the address: {"lane", "role", "worker", "place"}.
    handle json not null,
    -- submitting: the provider may have it. open: it has, under batch_id. lost: it never had it.
    -- ended: every request has its outcome.
    status text not null check (status in ('submitting', 'open', 'ended', 'lost')),
    batch_id text, requests integer not null, answered integer not null default 0,
    owner text, -- Claimed like an item.
    fence bigint not null default 1, lease_until timestamptz,
    created_at timestamptz not null default now(),
    expires_at timestamptz, -- The provider's own deadline.
    ended_at timestamptz,
    primary key (tenant_id, wave_id)
);
create unique index replay_batches_by_number on replay_waves (tenant_id, replay_id, n);

-- The requests of a batch.
create table replay_wave_requests (
    tenant_id text not null, wave_id uuid not null,
    place integer not null, -- With the wave it makes the custom_id.
    replay_id uuid not null, lane text not null, n integer not null, turn integer not null,
    call integer not null, -- 0, 1, 2 … within the turn.
    user_id text not null, -- As in replay_items.
    thread_id uuid,
    call_id uuid not null, -- Its row in the ledger.
    fingerprint bytea not null,
    most_usd numeric, -- The most that it may cost; null: its price is not known.
    status text not null default 'open' check (status in ('open', 'succeeded', 'failed')),
    outcome json, -- As the provider gave it, until the conversation has taken it.
    primary key (tenant_id, wave_id, place)
);
create index replay_batch_requests_by_item on replay_wave_requests (tenant_id, replay_id, lane, n);

-- What was called a wave is a batch: `batch_id` is our id, `provider_batch_id` the provider's. They
-- are made under their former names, as their constraints are named in every database of before.
alter table replay_waves rename column batch_id to provider_batch_id;
alter table replay_waves rename column wave_id to batch_id;
alter table replay_waves rename to replay_batches;
alter index replay_waves_pkey rename to replay_batches_pkey;
alter table replay_wave_requests rename column wave_id to batch_id;
alter table replay_wave_requests rename to replay_batch_requests;
alter index replay_wave_requests_pkey rename to replay_batch_requests_pkey;

-- What people say of a replayed conversation, the candidate compared with its reference.
create table replay_verdicts (
    tenant_id text not null, replay_id uuid not null,
    -- As in replay_items, and like there the thread: erasing it finds what was said of it.
    n integer not null,
    thread_id uuid,
    user_id text not null, -- Who says it: each person once.
    verdict text not null check (verdict in ('better', 'worse', 'same')),
    note text not null default '', judged_at timestamptz not null default now(),
    -- Of single answers, by turn: {"0": {"verdict", "note"}}; {}: of the whole conversation.
    turns jsonb not null default '{}',
    primary key (tenant_id, replay_id, n, user_id),
    -- An erased user's replay takes along what others said of it.
    foreign key (tenant_id, replay_id) references replays on delete cascade
);

-- Shadows and canaries: a candidate beside the version that serves.
create table rollouts (
    tenant_id text not null, rollout_id uuid not null,
    -- shadow: ended runs are replayed. canary: the candidate answers for real.
    kind text not null check (kind in ('shadow', 'canary')),
    user_id text not null, -- Who began it.
    -- returned: by itself, for the reason that stands beside it.
    status text not null default 'running' check (status in ('running', 'stopped', 'returned')),
    share double precision not null check (share > 0 and share <= 1),
    salt text not null, -- Drawn when it began: with it nobody can tell a thread's side before.
    candidate json not null, -- What the candidate changes: {"settings", "prompts", "design"}.
    guards json, -- A canary's guards: measures with their margins, own checks, alpha.
    state json, -- What the guards have seen so far.
    replay_id uuid, -- A shadow's standing replay.
    reason text, verdict json, created_at timestamptz not null default now(), ended_at timestamptz,
    primary key (tenant_id, rollout_id)
);
create unique index rollouts_running on rollouts (tenant_id, kind) where status = 'running';

-- Which run was given to which rollout: written in the statement that begins the run, so that it is
-- the same on every replica and stays when another replica continues the run.
create table rollout_runs (
    tenant_id text not null, run_id uuid not null, rollout_id uuid not null,
    thread_id uuid not null,
    side text not null check (side in ('sampled', 'candidate', 'baseline')),
    turn integer not null, -- 1, 2, 3 … of its thread within the rollout.
    -- When it became an item of the replay, or the guards saw it; null: not yet.
    taken_at timestamptz,
    measured json, -- What the guards measured, by name; null: nothing that counts.
    created_at timestamptz not null default now(),
    -- What its thread was drawn with; null: the share of the rollout. A canary's first threads are
    -- drawn with a smaller share than its own.
    share double precision,
    primary key (tenant_id, run_id, rollout_id)
);
create index rollout_runs_open on rollout_runs (tenant_id, rollout_id, run_id)
where taken_at is null;
create index rollout_runs_by_thread on rollout_runs (tenant_id, rollout_id, thread_id);
create index rollout_runs_first on rollout_runs (tenant_id, rollout_id) where turn = 1;

-- What gates decided, where a candidate is a replay of this database or the request wants the
-- verdict kept. Webhooks are told in the same transaction.
create table gate_verdicts (
    tenant_id text not null, verdict_id uuid not null,
    user_id text not null, -- Who asked.
    verdict text not null check (verdict in ('passed', 'failed', 'undecided')),
    rules text not null, -- SHA-256 of the rules, as hex: the same for the same demands.
    -- [{"replay_id", "verdict", "tasks"}], in the order in which they were named; replay_id is null
    -- where the candidate was a file.
    candidates json not null,
    decided_at timestamptz not null default now(),
    primary key (tenant_id, verdict_id)
);

-- Webhooks are told how these end.
create function plainloop_tell_verdict() returns trigger language plpgsql as $$
begin
    if tg_table_name = 'rollouts' then
        perform plainloop_enqueue_event(
            new.tenant_id, new.user_id, null, null, 'rollout.ended', json_build_object(
                'rollout_id', new.rollout_id, 'kind', new.kind, 'status', new.status)
        );
    else
        perform plainloop_enqueue_event(
            new.tenant_id, new.user_id, null, null, 'replay.ended', json_build_object(
                'replay_id', new.replay_id, 'mode', new.mode, 'status', new.status)
        );
    end if;
    return null;
end
$$;

create function plainloop_tell_gate() returns trigger language plpgsql as $$
begin
    perform plainloop_enqueue_event(
        new.tenant_id, new.user_id, null, null, 'gate.decided', json_build_object(
            'verdict_id', new.verdict_id, 'verdict', new.verdict, 'rules', new.rules,
            'candidates', new.candidates)
    );
    return null;
end
$$;

create trigger tell_webhooks after update of status on rollouts for each row
when (old.status = 'running' and new.status <> 'running') execute function plainloop_tell_verdict();
create trigger tell_webhooks after update of ended_at on replays for each row
when (old.ended_at is null and new.ended_at is not null) execute function plainloop_tell_verdict();
create trigger tell_webhooks after insert on gate_verdicts for each row
execute function plainloop_tell_gate();

select plainloop_protect(name::regclass)
from unnest(array[
    'replays', 'replay_items', 'replay_answers', 'replay_batches', 'replay_batch_requests',
    'replay_verdicts', 'rollouts', 'rollout_runs', 'gate_verdicts'
]) as name;
select plainloop_open_to_operator('replays', 'select');
select plainloop_open_to_operator('rollouts', 'select');
select plainloop_open_to_operator('replay_items', 'select, update');
