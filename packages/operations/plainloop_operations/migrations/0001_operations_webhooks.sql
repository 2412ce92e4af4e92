-- adopts: webhooks
-- Webhooks, schedules, and what holds a tenant that moves.

-- Messages that are sent to the agent at certain times, each as a run of its own.
create table schedules (
    tenant_id text not null, schedule_id uuid not null,
    user_id text not null, -- As whom it speaks; erasing the user takes it along.
    name text not null, cron text not null, time_zone text not null, message text not null,
    -- What becomes of a time at which no process was there: one run later, or none.
    missed text not null check (missed in ('run', 'skip')),
    next_at timestamptz, -- Null: paused, or there is none.
    paused_at timestamptz, created_at timestamptz not null default now(),
    primary key (tenant_id, schedule_id)
);
create index schedules_due on schedules (next_at) where next_at is not null;

-- What became of each due time: a second row for the same time cannot be written.
create table schedule_runs (
    tenant_id text not null, schedule_id uuid not null, due_at timestamptz not null,
    user_id text not null, thread_id uuid, run_id uuid,
    status text not null check (status in ('begun', 'missed', 'refused')),
    reason text, -- Why there is no run: a code.
    at timestamptz not null default now(),
    primary key (tenant_id, schedule_id, due_at),
    foreign key (tenant_id, schedule_id) references schedules on delete cascade
);

-- Addresses that are told what happened.
create table webhooks (
    tenant_id text not null, webhook_id uuid not null,
    user_id text, -- Whose runs it tells of; null: everybody's in the tenant.
    url text not null,
    secret bytea not null, -- What it is signed with; in the clear, as signing needs it.
    events text[] not null check (cardinality(events) > 0),
    created_at timestamptz not null default now(),
    -- Nothing is sent since then, for the reason beside it; null: it works.
    disabled_at timestamptz,
    disabled_reason text,
    primary key (tenant_id, webhook_id)
);

-- What webhooks are told: a row, written by a trigger in the transaction in which it happens, so
-- that nothing committed goes untold.
create table webhook_deliveries (
    tenant_id text not null, delivery_id bigint generated always as identity,
    -- The same however often it is sent: the receiver tells a repetition by it.
    message_id uuid not null default gen_random_uuid(),
    webhook_id uuid not null,
    user_id text, -- Of what it tells; erasing one of them takes it along.
    thread_id uuid, run_id uuid, event text not null, data json not null,
    created_at timestamptz not null default clock_timestamp(), attempts integer not null default 0,
    due_at timestamptz default now(), -- When it is sent (again); null: it was delivered.
    delivered_at timestamptz,
    -- Of the last attempt: the receiver's HTTP status, null without one, and what it said.
    status integer,
    answer text,
    primary key (tenant_id, delivery_id),
    foreign key (tenant_id, webhook_id) references webhooks on delete cascade
);
create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null;
create index webhook_deliveries_order
    on webhook_deliveries (tenant_id, webhook_id, run_id, delivery_id) where due_at is not null;
create index webhook_deliveries_done on webhook_deliveries (delivered_at)
where delivered_at is not null;

-- A helper's run is a part of its caller's, of which its user is told.
create function plainloop_tell_change() returns trigger language plpgsql as $$
begin
    if new.run_id is null or (
        case when new.approval_id is null
            then new.status not in ('succeeded', 'failed', 'cancelled', 'limit')
            else new.status <> 'pending' end
    ) then
        return null;
    end if;
    -- Where nobody is told, a run pays for one look at an empty index: the second is not made ready.
    if not exists (select from webhooks where tenant_id = new.tenant_id) then
        return null;
    elsif exists (
        select from helper_runs where tenant_id = new.tenant_id and run_id = new.run_id
    ) then
        return null;
    end if;
    perform plainloop_enqueue_event(
        new.tenant_id, new.user_id, new.thread_id, new.run_id,
        case when new.approval_id is null then 'run.ended' else 'approval.pending' end,
        json_build_object(
            'user_id', new.user_id, 'conversation_id', new.thread_id, 'run_id', new.run_id,
            'approval_id', new.approval_id, 'status', new.status,
            'error_code', (
                select error_code from runs
                where tenant_id = new.tenant_id and run_id = new.run_id
                    and new.approval_id is null
            )
        )
    );
    return null;
end
$$;

create function plainloop_tell_budget() returns trigger language plpgsql as $$
begin
    perform plainloop_enqueue_event(
        new.tenant_id, new.user_id, null, null, 'budget.reached',
        json_build_object('budget_id', new.budget_id, 'user_id', new.user_id)
    );
    return null;
end
$$;

create trigger tell_webhooks after insert on changes for each row
execute function plainloop_tell_change();
create trigger tell_webhooks after update of told_at on budget_counters for each row
when (old.told_at is null and new.told_at is not null) execute function plainloop_tell_budget();

-- Triggers call it, and are there as long as any tenant is held. Its first argument: `new`, where
-- only what begins is refused.
create function plainloop_refuse_held() returns trigger language plpgsql as $$
declare
    tenant text := case when tg_op = 'DELETE' then old.tenant_id else new.tenant_id end;
begin
    if exists (
        select from held_tenants
        where tenant_id = tenant and (tg_argv[0] = 'new' or frozen_at is not null)
    ) and tenant is distinct from current_setting('app.moved_tenant', true) then
        raise exception 'the tenant % is being moved to another database', tenant
            using errcode = 'lock_not_available';
    end if;
    if tg_op = 'DELETE' then
        return old;
    end if;
    return new;
end
$$;

select plainloop_protect(name::regclass)
from unnest(array['schedules', 'schedule_runs', 'webhooks', 'webhook_deliveries']) as name;
select plainloop_open_to_operator('schedules', 'select');
select plainloop_open_to_operator('webhooks', 'select, update');
select plainloop_open_to_operator('webhook_deliveries', 'select, insert, update, delete');
