-- Addresses that are told what happened. What is to be told is a row, written by triggers in the
-- transaction in which it happens: nothing that was committed goes untold.

create table webhooks (
    tenant_id text not null,
    webhook_id uuid not null,
    -- Whose runs it tells of; null: everybody's in the tenant.
    user_id text,
    url text not null,
    -- What it is signed with; in the clear, as signing needs it.
    secret bytea not null,
    events text[] not null check (cardinality(events) > 0),
    created_at timestamptz not null default now(),
    -- Nothing is told any more, for that reason; null: it works.
    disabled_at timestamptz,
    disabled_reason text,
    primary key (tenant_id, webhook_id)
);

create table webhook_deliveries (
    tenant_id text not null,
    delivery_id bigint generated always as identity,
    -- The same however often it is sent: the receiver tells a repetition by it.
    message_id uuid not null default gen_random_uuid(),
    webhook_id uuid not null,
    -- Of what it tells; erasing one of them takes it along.
    user_id text,
    thread_id uuid,
    run_id uuid,
    event text not null,
    data json not null,
    created_at timestamptz not null default clock_timestamp(),
    attempts integer not null default 0,
    -- When it is sent (again); null: it was delivered.
    due_at timestamptz default now(),
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

select plainloop_protect(name::regclass)
from unnest(array['webhooks', 'webhook_deliveries']) as name;
select plainloop_open_to_operator('webhooks', 'select, update');
select plainloop_open_to_operator('webhook_deliveries', 'select, insert, update, delete');
select plainloop_open_to_operator('api_keys', 'select');

create function plainloop_enqueue_event(
    tenant text, usr text, thread uuid, run uuid, kind text, told json
) returns void language sql as $$
    insert into webhook_deliveries (tenant_id, webhook_id, user_id, thread_id, run_id, event, data)
    select tenant, webhook_id, usr, thread, run, kind, told
    from webhooks
    where tenant_id = tenant and disabled_at is null and kind = any (events)
        and (user_id is null or user_id = usr)
$$;

create function plainloop_tell_change() returns trigger language plpgsql as $$
begin
    -- Where nobody is told, a run pays for one look at an empty index.
    if not exists (select from webhooks where tenant_id = new.tenant_id) then
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
create trigger tell_webhooks after insert on changes for each row
when (
    new.run_id is not null and case when new.approval_id is null
        then new.status in ('succeeded', 'failed', 'cancelled', 'limit')
        else new.status = 'pending' end
)
execute function plainloop_tell_change();

create function plainloop_tell_budget() returns trigger language plpgsql as $$
begin
    perform plainloop_enqueue_event(
        new.tenant_id, new.user_id, null, null, 'budget.reached',
        json_build_object('budget_id', new.budget_id, 'user_id', new.user_id)
    );
    return null;
end
$$;
create trigger tell_webhooks after update of told_at on budget_counters for each row
when (old.told_at is null and new.told_at is not null) execute function plainloop_tell_budget();

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
create trigger tell_webhooks after update of status on rollouts for each row
when (old.status = 'running' and new.status <> 'running') execute function plainloop_tell_verdict();
create trigger tell_webhooks after update of ended_at on replays for each row
when (old.ended_at is null and new.ended_at is not null) execute function plainloop_tell_verdict();
