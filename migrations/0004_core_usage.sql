-- Reports that stay quick as the ledger grows, prices that were set again, and budgets.

-- What calls cost before `usage recost`: [{"cost_usd", "price_version", "at"}, …], oldest first.
alter table llm_calls add column former_costs json;
-- Reports read the newest hours of the ledger by time; a block-range index costs writers nothing.
create index llm_calls_by_time on llm_calls using brin (created_at)
with (pages_per_range = 32, autosummarize = on);
create index steps_by_time on steps using brin (started_at)
with (pages_per_range = 32, autosummarize = on);

-- The ledger added up: up to which hour. One row, of no tenant.
create table usage_rolled (
    is_only boolean primary key default true check (is_only),
    rolled_until timestamptz not null
);

-- The ledger's hours, without users, threads and runs. The sums stay when old rows are deleted.
create table usage_hours (
    tenant_id text not null,
    sum_id bigint generated always as identity,
    hour timestamptz not null,
    node text not null,
    worker text,
    role text not null,
    provider text not null,
    model text not null,
    status text not null,
    origin text not null,
    calls bigint not null,
    unsuccessful_calls bigint not null,
    retries bigint not null,
    estimated_calls bigint not null,
    unreported_calls bigint not null,
    unpriced_calls bigint not null,
    input_tokens bigint,
    cache_read_tokens bigint,
    cache_write_tokens bigint,
    output_tokens bigint,
    reasoning_tokens bigint,
    cost_usd numeric,
    unsuccessful_cost_usd numeric,
    retry_cost_usd numeric,
    primary key (tenant_id, sum_id)
);
create index usage_hours_by_hour on usage_hours (tenant_id, hour);

-- Its days, by user.
create table usage_days (
    tenant_id text not null,
    sum_id bigint generated always as identity,
    day timestamptz not null,
    user_id text not null,
    node text not null,
    worker text,
    role text not null,
    provider text not null,
    model text not null,
    status text not null,
    origin text not null,
    calls bigint not null,
    unsuccessful_calls bigint not null,
    retries bigint not null,
    estimated_calls bigint not null,
    unreported_calls bigint not null,
    unpriced_calls bigint not null,
    input_tokens bigint,
    cache_read_tokens bigint,
    cache_write_tokens bigint,
    output_tokens bigint,
    reasoning_tokens bigint,
    cost_usd numeric,
    unsuccessful_cost_usd numeric,
    retry_cost_usd numeric,
    primary key (tenant_id, sum_id)
);
create index usage_days_by_day on usage_days (tenant_id, day);

-- Its hours by thread and run, for what one run takes.
create table usage_runs (
    tenant_id text not null,
    sum_id bigint generated always as identity,
    hour timestamptz not null,
    user_id text not null,
    thread_id uuid,
    run_id uuid,
    origin text not null,
    calls bigint not null,
    unsuccessful_calls bigint not null,
    retries bigint not null,
    estimated_calls bigint not null,
    unreported_calls bigint not null,
    unpriced_calls bigint not null,
    input_tokens bigint,
    cache_read_tokens bigint,
    cache_write_tokens bigint,
    output_tokens bigint,
    reasoning_tokens bigint,
    cost_usd numeric,
    unsuccessful_cost_usd numeric,
    retry_cost_usd numeric,
    primary key (tenant_id, sum_id)
);
create index usage_runs_by_hour on usage_runs (tenant_id, hour);

-- The same hours' calls that were not made.
create table usage_avoided (
    tenant_id text not null,
    sum_id bigint generated always as identity,
    hour timestamptz not null,
    user_id text not null,
    role text not null,
    reason text not null,
    calls bigint not null,
    tokens bigint not null,
    primary key (tenant_id, sum_id)
);
create index usage_avoided_by_hour on usage_avoided (tenant_id, hour);

-- What may be spent: per run, user or tenant and period, in tokens, money or both.
create table budgets (
    tenant_id text not null,
    budget_id uuid not null,
    scope text not null check (scope in ('tenant', 'user', 'run')),
    -- Of scope user: whose; null: each user's own.
    user_id text,
    period text not null check (period in ('hour', 'day', 'month', 'total')),
    limit_tokens bigint check (limit_tokens >= 0),
    limit_usd numeric check (limit_usd >= 0),
    -- Whether it stops calls, or only tells.
    is_hard boolean not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, budget_id),
    check (limit_tokens is not null or limit_usd is not null),
    check (user_id is null or scope = 'user'),
    check (scope <> 'run' or period = 'total')
);

-- How far a budget is used up, per subject and period; made by its first call.
create table budget_counters (
    tenant_id text not null,
    budget_id uuid not null,
    -- The run or user it is counted for; '' for the tenant.
    subject text not null,
    -- When the period began; '-infinity' for `total`.
    period_start timestamptz not null,
    -- Of scope user and run: so that erasing the user finds it.
    user_id text,
    used_tokens bigint not null,
    used_usd numeric not null,
    -- The most that calls under way may still take.
    reserved_tokens bigint not null,
    reserved_usd numeric not null,
    -- When it was told that the limit (of a soft budget) was passed, or is near.
    told_at timestamptz,
    primary key (tenant_id, budget_id, subject, period_start)
) with (fillfactor = 50);

-- Calls under way, by the counters that they are reserved in.
create table budget_reservations (
    tenant_id text not null,
    call_id uuid not null,
    budget_id uuid not null,
    subject text not null,
    period_start timestamptz not null,
    user_id text,
    tokens bigint not null,
    cost_usd numeric not null,
    primary key (tenant_id, call_id, budget_id)
);

select plainloop_protect(name::regclass)
from unnest(array[
    'usage_hours', 'usage_days', 'usage_runs', 'usage_avoided', 'budgets', 'budget_counters',
    'budget_reservations'
]) as name;
select plainloop_open_to_operator('usage_rolled', 'select, insert, update');
select plainloop_open_to_operator('usage_hours', 'select, insert, delete');
select plainloop_open_to_operator('usage_days', 'select, insert, delete');
select plainloop_open_to_operator('usage_runs', 'select, insert, delete');
select plainloop_open_to_operator('usage_avoided', 'select, insert, delete');
select plainloop_open_to_operator('steps', 'select, update');
select plainloop_open_to_operator('prompt_texts', 'select, delete');
grant select on usage_rolled to public;
do $$
begin
    if exists (select from pg_roles where rolname = 'plainloop_operator')
        and pg_has_role(current_user, 'plainloop_operator', 'member')
    then
        grant delete on llm_calls to plainloop_operator;
    end if;
end
$$;
