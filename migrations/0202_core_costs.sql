-- The ledger, its sums, and budgets.

-- Prompts and tool sets of the ledger, stored once per content.
create table prompt_texts (
    tenant_id text not null, hash bytea not null, kind text not null, text text not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, hash)
);

-- The ledger: one row per attempt at a provider, written before the call, settled after it. What is
-- known before the call comes first: the second write then logs only the end of the row. A long
-- request lies outside the row from the beginning (toast_tuple_target): reports do not read it, and
-- the second write keeps it.
create table llm_calls (
    tenant_id text not null, call_id uuid not null, user_id text not null, thread_id uuid,
    run_id uuid, step integer, attempt integer not null, node text not null, worker text,
    role text not null, provider text not null, model text not null,
    replay_id uuid, -- The replay that bought it; null: a user's own run.
    fingerprint bytea, -- The request: its fingerprint, and where its texts are.
    system_hash bytea, tools_hash bytea, first_position integer, last_position integer,
    estimated_input_tokens integer not null,
    -- The model's tokens per estimated token, as the history was cut by: a replay cuts it alike.
    token_factor real not null default 1,
    extra_messages json,
    -- When the row is written, not when its transaction began: that of a step may have been open
    -- for minutes (test_a_call_begins_when_it_is_recorded_not_with_its_transaction).
    created_at timestamptz not null default clock_timestamp(),
    status text not null, usage_source text not null default 'missing',
    input_tokens integer, -- Disjoint buckets; null: the provider did not say.
    cache_read_tokens integer, cache_write_tokens integer, output_tokens integer,
    reasoning_tokens integer, usage_raw json,
    cost_usd numeric, -- Frozen at write time; null: price unknown, never 0.
    price_version text, first_token_ms integer, duration_ms integer, model_answered text,
    request_id text, stop text, error_code text,
    response json, -- The answer: here, or the thread's message at this position.
    response_position integer, notes json,
    -- Its cost before `usage recost`: [{"cost_usd", "price_version", "at"}, …], oldest first.
    former_costs json,
    -- How the provider worked on it, where that has a price of its own; null: at once.
    processing text check (processing in ('batch')),
    -- The most that it may cost, known before it is made; null: its price is not known.
    most_usd numeric,
    tags text[] not null default '{}', -- Of its run, when it was made.
    -- Part of the input, disjoint from `cache_write_tokens`: kept for longer, at a price of its
    -- own.
    cache_write_long_tokens integer,
    -- Compared with the same call without a cache; below 0 where writing cost more. Null: not
    -- known.
    cache_saved_usd numeric,
    -- Prompts that had to be sent again: nobody came back in time, or their beginning had changed.
    pause_loss_usd numeric,
    prefix_loss_usd numeric,
    error_message text, -- In the provider's words without secrets, for the operator.
    -- How hard the model was asked to think, as sent; null: the model's default, or it has no
    -- levels.
    effort text,
    primary key (tenant_id, call_id)
) with (fillfactor = 60, toast_tuple_target = 1024);
create index llm_calls_by_run on llm_calls (tenant_id, run_id) where run_id is not null;
create index llm_calls_by_replay on llm_calls (tenant_id, replay_id) where replay_id is not null;
-- Reports read the newest hours by time; a block-range index costs writers nothing.
create index llm_calls_by_time on llm_calls using brin (created_at)
with (pages_per_range = 32, autosummarize = on);
-- Such an index is made with its first range summed up, and every later row would write that sum
-- again. Left open, it is summed up when the next range begins.
select brin_desummarize_range(index, 0)
from unnest('{llm_calls_by_time, steps_by_time}'::regclass[]) as index;

-- Up to which hour the ledger is added up. One row, of no tenant.
create table usage_rolled (
    is_only boolean primary key default true check (is_only), rolled_until timestamptz not null
);

-- Sums of the ledger by hour, without users, threads and runs. They stay when old rows of the
-- ledger are deleted.
create table usage_hours (
    tenant_id text not null, sum_id bigint generated always as identity, hour timestamptz not null,
    node text not null, worker text, role text not null, provider text not null,
    model text not null, status text not null, origin text not null, calls bigint not null,
    unsuccessful_calls bigint not null, retries bigint not null, estimated_calls bigint not null,
    unreported_calls bigint not null, unpriced_calls bigint not null, input_tokens bigint,
    cache_read_tokens bigint, cache_write_tokens bigint, output_tokens bigint,
    reasoning_tokens bigint, cost_usd numeric, unsuccessful_cost_usd numeric,
    retry_cost_usd numeric,
    -- Of the calls of unknown cost: how many have an upper bound, and the sum of these bounds.
    bounded_calls bigint not null default 0,
    at_most_usd numeric, cache_write_long_tokens bigint, cache_saved_usd numeric,
    pause_loss_usd numeric, prefix_loss_usd numeric,
    feature text, -- Its worker, or the one that its run went on to (agent/usage/dimensions.py).
    effort text, -- Null: added up by an older version.
    requested_model text,
    primary key (tenant_id, sum_id)
);
create index usage_hours_by_hour on usage_hours (tenant_id, hour);

-- Sums of the ledger by day and user.
create table usage_days (
    tenant_id text not null, sum_id bigint generated always as identity, day timestamptz not null,
    user_id text not null, node text not null, worker text, role text not null,
    provider text not null, model text not null, status text not null, origin text not null,
    calls bigint not null, unsuccessful_calls bigint not null, retries bigint not null,
    estimated_calls bigint not null, unreported_calls bigint not null,
    unpriced_calls bigint not null, input_tokens bigint, cache_read_tokens bigint,
    cache_write_tokens bigint, output_tokens bigint, reasoning_tokens bigint, cost_usd numeric,
    unsuccessful_cost_usd numeric, retry_cost_usd numeric, bounded_calls bigint not null default 0,
    at_most_usd numeric, cache_write_long_tokens bigint, cache_saved_usd numeric,
    pause_loss_usd numeric, prefix_loss_usd numeric, effort text, requested_model text,
    primary key (tenant_id, sum_id)
);
create index usage_days_by_day on usage_days (tenant_id, day);

-- Sums of the ledger by hour, thread and run.
create table usage_runs (
    tenant_id text not null, sum_id bigint generated always as identity, hour timestamptz not null,
    user_id text not null, thread_id uuid, run_id uuid, origin text not null, calls bigint not null,
    unsuccessful_calls bigint not null, retries bigint not null, estimated_calls bigint not null,
    unreported_calls bigint not null, unpriced_calls bigint not null, input_tokens bigint,
    cache_read_tokens bigint, cache_write_tokens bigint, output_tokens bigint,
    reasoning_tokens bigint, cost_usd numeric, unsuccessful_cost_usd numeric,
    retry_cost_usd numeric, tags text[] not null default '{}',
    bounded_calls bigint not null default 0, at_most_usd numeric, cache_write_long_tokens bigint,
    cache_saved_usd numeric, pause_loss_usd numeric, prefix_loss_usd numeric,
    primary key (tenant_id, sum_id)
);
create index usage_runs_by_hour on usage_runs (tenant_id, hour);
create index usage_runs_by_run on usage_runs (tenant_id, run_id);
create index usage_runs_by_thread on usage_runs (tenant_id, thread_id);

-- Calls that were not made, by hour.
create table usage_avoided (
    tenant_id text not null, sum_id bigint generated always as identity, hour timestamptz not null,
    user_id text not null, role text not null, reason text not null, calls bigint not null,
    tokens bigint not null,
    primary key (tenant_id, sum_id)
);
create index usage_avoided_by_hour on usage_avoided (tenant_id, hour);

-- What may be spent: per run, user or tenant and period, in tokens, money or both.
create table budgets (
    tenant_id text not null, budget_id uuid not null,
    scope text not null check (scope in ('tenant', 'user', 'run')),
    user_id text, -- Of scope user: whose; null: each user's own.
    period text not null check (period in ('hour', 'day', 'month', 'total')),
    limit_tokens bigint check (limit_tokens >= 0), limit_usd numeric check (limit_usd >= 0),
    is_hard boolean not null, -- Whether it stops calls, or only tells.
    created_at timestamptz not null default now(),
    zone text not null default 'UTC', -- In which its hours, days and months begin: an IANA name.
    primary key (tenant_id, budget_id),
    check (limit_tokens is not null or limit_usd is not null),
    check (user_id is null or scope = 'user'),
    check (scope <> 'run' or period = 'total')
);

-- How far a budget is used up, per subject and period. The first call of the period makes the row.
create table budget_counters (
    tenant_id text not null, budget_id uuid not null,
    subject text not null, -- The run or user it is counted for; '' for the tenant.
    period_start timestamptz not null, -- When the period began; '-infinity' for `total`.
    user_id text, -- Of scope user and run: so that erasing the user finds it.
    used_tokens bigint not null, used_usd numeric not null,
    reserved_tokens bigint not null, -- The most that calls under way may still take.
    reserved_usd numeric not null,
    -- When it was told that the limit (of a soft budget) was passed, or is near.
    told_at timestamptz,
    primary key (tenant_id, budget_id, subject, period_start)
) with (fillfactor = 50);

-- Calls under way, by the counters that they are reserved in.
create table budget_reservations (
    tenant_id text not null, call_id uuid not null, budget_id uuid not null, subject text not null,
    period_start timestamptz not null, user_id text, tokens bigint not null,
    cost_usd numeric not null,
    primary key (tenant_id, call_id, budget_id)
);
