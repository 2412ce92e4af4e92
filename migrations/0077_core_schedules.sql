-- Messages that are said to the agent at certain times, each a run of its own.

create table schedules (
    tenant_id text not null,
    schedule_id uuid not null,
    -- As whom it speaks; erasing the user takes it along.
    user_id text not null,
    name text not null,
    cron text not null,
    time_zone text not null,
    message text not null,
    -- What becomes of a time at which nobody was there: one run later, or none.
    missed text not null check (missed in ('run', 'skip')),
    -- Null: paused, or there is none.
    next_at timestamptz,
    paused_at timestamptz,
    created_at timestamptz not null default now(),
    primary key (tenant_id, schedule_id)
);
create index schedules_due on schedules (next_at) where next_at is not null;

-- What became of each due time: a second one for the same time cannot be written.
create table schedule_runs (
    tenant_id text not null,
    schedule_id uuid not null,
    due_at timestamptz not null,
    user_id text not null,
    thread_id uuid,
    run_id uuid,
    status text not null check (status in ('begun', 'missed', 'refused')),
    -- Why there is no run: a code.
    reason text,
    at timestamptz not null default now(),
    primary key (tenant_id, schedule_id, due_at),
    foreign key (tenant_id, schedule_id) references schedules on delete cascade
);

select plainloop_protect(name::regclass) from unnest(array['schedules', 'schedule_runs']) as name;
select plainloop_open_to_operator('schedules', 'select');
