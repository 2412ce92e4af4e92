-- Threads, messages, runs, steps, the ledger, events. Every key starts with tenant_id, so that
-- the schema can be sharded by tenant; no foreign keys, since they would lock the parent row on
-- every insert and erasing is one explicit statement anyway.
-- `json` (not `jsonb`) where a value must come back as it went in: key order is part of a
-- provider's cached prompt prefix.

-- Two roles nobody can log in as. `plainloop_app` sees one tenant; `plainloop_operator` does the
-- work of a process for all tenants (heartbeat, claims, retention, operator reports).
-- Without the right to create roles the service relies on the explicit tenant filter alone.
do $$
declare
    role_name text;
begin
    foreach role_name in array array['plainloop_app', 'plainloop_operator'] loop
        begin
            execute format('create role %I nologin', role_name);
        exception
            when duplicate_object or unique_violation then null;
        end;
        if not pg_has_role(current_user, role_name, 'member') then
            execute format('grant %I to current_user', role_name);
        end if;
        execute format('grant usage on schema public to %I', role_name);
    end loop;
exception
    when insufficient_privilege then
        raise warning 'no right to create roles: row-level security is not forced';
end
$$;

-- Every table with tenant_id calls this, packs' tables too.
create function plainloop_protect(target regclass) returns void language plpgsql as $$
begin
    execute format('alter table %s enable row level security', target);
    execute format(
        'create policy tenant_only on %s'
        ' using (tenant_id = nullif(current_setting(''app.tenant_id'', true), ''''))',
        target
    );
    if exists (select from pg_roles where rolname = 'plainloop_app')
        and pg_has_role(current_user, 'plainloop_app', 'member')
    then
        execute format('alter table %s force row level security', target);
        execute format('grant select, insert, update, delete on %s to plainloop_app', target);
    end if;
end
$$;

create function plainloop_open_to_operator(target regclass, rights text) returns void
language plpgsql as $$
begin
    if exists (select from pg_roles where rolname = 'plainloop_operator')
        and pg_has_role(current_user, 'plainloop_operator', 'member')
    then
        execute format('create policy operator_all on %s to plainloop_operator using (true)', target);
        execute format('grant %s on %s to plainloop_operator', rights, target);
    end if;
end
$$;

create table threads (
    tenant_id text not null,
    thread_id uuid not null,
    user_id text not null,
    pack text not null,
    kind text not null check (kind in ('chat', 'onboarding')),
    title text not null default '',
    tags text[] not null default '{}',
    -- The next message's position; positions are 0, 1, 2 … without gaps.
    next_position integer not null default 0,
    -- Estimated tokens of all messages: the next message's offset.
    total_tokens bigint not null default 0,
    -- state["data"]: the pack's fields, kept across runs.
    data jsonb not null default '{}',
    created_at timestamptz not null default now(),
    -- When the user last wrote.
    updated_at timestamptz not null default now(),
    primary key (tenant_id, thread_id)
) with (fillfactor = 70);
-- A user's threads. Without updated_at, so that a new message writes no index; a page sorts.
create index threads_by_user on threads (tenant_id, user_id);

create table messages (
    tenant_id text not null,
    thread_id uuid not null,
    position integer not null check (position >= 0),
    -- Null: saved outside any run.
    run_id uuid,
    role text not null check (role in ('user', 'assistant', 'tool')),
    parts json not null,
    tokens integer not null,
    tokens_before bigint not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, thread_id, position)
);

-- Columns that change come last: an update then logs only the row's end.
create table runs (
    tenant_id text not null,
    run_id uuid not null,
    thread_id uuid not null,
    user_id text not null,
    design text not null,
    pack text not null,
    idempotency_key text,
    request_hash text,
    created_at timestamptz not null default now(),
    -- The user message of a queued run, not yet in the thread.
    pending_input json,
    -- Null while queued.
    input_position integer,
    attempt integer not null default 0,
    -- Every write of a run names it; each change of owner adds one.
    fence bigint not null default 0,
    cancel_requested boolean not null default false,
    status text not null check (
        status in ('queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled', 'limit')
    ),
    -- "host/pid/start": who works on it. Null: nobody (queued, or handed back).
    owner text,
    lease_until timestamptz,
    -- Null before the first step.
    next_node text,
    error_code text,
    error_message text,
    notes json,
    ended_at timestamptz,
    primary key (tenant_id, run_id),
    constraint ended_when_terminal check (
        (ended_at is null) = (status in ('queued', 'running', 'waiting'))
    )
) with (fillfactor = 60);
-- One active run per thread. Holds active rows only, so a look for expired leases reads it too.
create unique index runs_active on runs (tenant_id, thread_id)
where status in ('running', 'waiting');
-- Queued runs, oldest first within their thread; empty most of the time.
create index runs_queued on runs (tenant_id, thread_id, created_at) where status = 'queued';
create unique index runs_idempotency on runs (tenant_id, idempotency_key)
where idempotency_key is not null;
-- No index by thread: a thread's runs are named by its messages, and by `runs_queued`.

create table steps (
    tenant_id text not null,
    run_id uuid not null,
    n integer not null check (n >= 0),
    node text not null,
    -- The node's update without `messages`; those are positions first..last of the thread.
    update json not null,
    next_node text not null,
    first_position integer,
    last_position integer,
    -- Lists of AvoidedCall and of text; null: empty.
    avoided json,
    notes json,
    started_at timestamptz not null,
    duration_ms integer not null,
    -- The events of the step, in the form of run_events; null: none, or aged out.
    first_seq integer check (first_seq >= 1),
    last_seq integer,
    events json,
    primary key (tenant_id, run_id, n)
);

-- Prompts and tool sets of the ledger, stored once per content.
create table prompt_texts (
    tenant_id text not null,
    hash bytea not null,
    kind text not null,
    text text not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, hash)
);

-- The ledger: one row per provider attempt, written before the call, settled after.
-- What is known before comes first: the second write then logs only the row's end.
create table llm_calls (
    tenant_id text not null,
    call_id uuid not null,
    user_id text not null,
    thread_id uuid,
    run_id uuid,
    step integer,
    attempt integer not null,
    node text not null,
    worker text,
    role text not null,
    provider text not null,
    model text not null,
    -- The replay that bought it; null: a user's own run.
    replay_id uuid,
    -- The request: its fingerprint, and where its texts are.
    fingerprint bytea,
    system_hash bytea,
    tools_hash bytea,
    first_position integer,
    last_position integer,
    estimated_input_tokens integer not null,
    -- The model's tokens per estimated token, as the history was cut by: a replay cuts it alike.
    token_factor real not null default 1,
    extra_messages json,
    created_at timestamptz not null default now(),
    status text not null check (status in ('started', 'succeeded', 'failed', 'cancelled', 'cut')),
    usage_source text not null default 'missing',
    -- Disjoint buckets; null: the provider did not say.
    input_tokens integer,
    cache_read_tokens integer,
    cache_write_tokens integer,
    output_tokens integer,
    reasoning_tokens integer,
    usage_raw json,
    -- Frozen at write time; null: price unknown, never 0.
    cost_usd numeric,
    price_version text,
    first_token_ms integer,
    duration_ms integer,
    model_answered text,
    request_id text,
    stop text,
    error_code text,
    -- The answer: here, or the thread's message at this position.
    response json,
    response_position integer,
    notes json,
    primary key (tenant_id, call_id)
) with (fillfactor = 60);
-- A run's calls, for `explain` and replay.
create index llm_calls_by_run on llm_calls (tenant_id, run_id) where run_id is not null;
create index llm_calls_by_replay on llm_calls (tenant_id, replay_id) where replay_id is not null;

create table tool_calls (
    tenant_id text not null,
    run_id uuid not null,
    tool_call_id text not null,
    step integer not null,
    index integer not null,
    name text not null,
    effect text not null check (effect in ('read', 'write', 'external')),
    status text not null check (
        status in (
            'planned', 'approval', 'started', 'succeeded', 'failed', 'unknown', 'denied',
            'interrupted'
        )
    ),
    arguments json not null,
    -- Kept here only when it is not (yet) in the thread's tool message.
    result json,
    idempotency_key text not null,
    duration_ms integer,
    primary key (tenant_id, run_id, tool_call_id)
);

-- A run's events that were written between two steps or at its end: one row per flush. Those of a
-- step are in the step's row. Together they are seq 1, 2, 3 … without gaps.
create table run_events (
    tenant_id text not null,
    run_id uuid not null,
    first_seq integer not null check (first_seq >= 1),
    last_seq integer not null check (last_seq >= first_seq),
    -- [[name, data], …]; consecutive text deltas as one ["text_delta", ["a", "b"]].
    events json not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, run_id, first_seq)
);

-- A person's decision on one tool call: bound to its arguments, used once, expiring.
create table approvals (
    tenant_id text not null,
    approval_id uuid not null,
    run_id uuid not null,
    thread_id uuid not null,
    user_id text not null,
    tool_call_id text not null,
    tool_name text not null,
    arguments json not null,
    arguments_hash text not null,
    status text not null check (
        status in ('pending', 'approved', 'denied', 'expired', 'consumed')
    ),
    decided_by text,
    decided_at timestamptz,
    expires_at timestamptz not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, approval_id),
    -- One decision per tool call; also finds a run's approvals.
    unique (tenant_id, run_id, tool_call_id)
);

create table replays (
    tenant_id text not null,
    replay_id uuid not null,
    user_id text not null,
    mode text not null check (mode in ('recorded', 'live')),
    status text not null check (
        status in ('queued', 'running', 'succeeded', 'failed', 'cancelled')
    ),
    -- Where the conversations come from, and what is compared (lanes, history, tools, judge).
    source json not null,
    candidate json not null,
    cancel_requested boolean not null default false,
    -- What was spent is in the ledger, whose rows name the replay.
    max_cost_usd numeric,
    created_at timestamptz not null default now(),
    started_at timestamptz,
    ended_at timestamptz,
    primary key (tenant_id, replay_id)
);

-- Replays to work on: few, however many have ended.
create index replays_open on replays (tenant_id, replay_id) where ended_at is null;

-- One conversation in one lane of a replay; claimed like a run.
create table replay_items (
    tenant_id text not null,
    replay_id uuid not null,
    n integer not null check (n >= 0),
    lane text not null,
    -- Who replays, and whose thread: so that erasing either finds it.
    user_id text not null,
    -- The stored source, or the imported conversation itself.
    thread_id uuid,
    conversation json,
    status text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    owner text,
    fence bigint not null default 0,
    lease_until timestamptz,
    attempt integer not null default 0,
    -- What came of its turns. The answers are in replay_answers.
    result json,
    error_code text,
    error_message text,
    started_at timestamptz,
    ended_at timestamptz,
    primary key (tenant_id, replay_id, lane, n)
);
-- Items that can be claimed; shrinks as the batch proceeds.
create index replay_items_open on replay_items (tenant_id, replay_id, n)
where status in ('queued', 'running');

-- Every answer that a replay paid for, as it came: whoever goes on with the item begins with them.
create table replay_answers (
    tenant_id text not null,
    replay_id uuid not null,
    lane text not null,
    n integer not null,
    turn integer not null,
    -- 0, 1, 2 … within the turn.
    call integer not null,
    -- As in replay_items.
    user_id text not null,
    thread_id uuid,
    fingerprint bytea not null,
    response json not null,
    primary key (tenant_id, replay_id, lane, n, turn, call)
);

select plainloop_protect(name::regclass)
from unnest(array[
    'threads', 'messages', 'runs', 'steps', 'prompt_texts', 'llm_calls', 'tool_calls',
    'run_events', 'approvals', 'replays', 'replay_items', 'replay_answers'
]) as name;
select plainloop_open_to_operator('runs', 'select, update');
select plainloop_open_to_operator('run_events', 'select, insert, delete');
select plainloop_open_to_operator('llm_calls', 'select');
select plainloop_open_to_operator('replay_items', 'select, update');
select plainloop_open_to_operator('replays', 'select');
