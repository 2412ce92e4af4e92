-- What the server keeps beside conversations: sessions, keys, replicas, webhooks, schedules, tools
-- of others, documents.

-- One-time tickets for WebSockets, and sessions of browsers.
create table tickets (
    tenant_id text not null,
    -- Of the ticket's secret part: who reads this table can open nothing.
    ticket_hash bytea not null,
    user_id text not null, is_admin boolean not null,
    -- When the token ends that the ticket was asked for with; null: never.
    identity_expires_at timestamptz,
    expires_at timestamptz not null,
    -- It may be used more than once, until the browser signs out.
    is_session boolean not null default false,
    key_id uuid, -- The API key that it was made with; it ends with the key.
    primary key (tenant_id, ticket_hash)
);

-- A sign of life of each replica, written when /readyz is requested: a database that can only be
-- read is not ready. Of no tenant.
create table replicas (
    owner text primary key, is_draining boolean not null,
    seen_at timestamptz not null default now(),
    -- When it checks for work next: replicas do so one after the other.
    looks_at timestamptz not null default '-infinity',
    started_at timestamptz not null default now(),
    code text, -- Fingerprint of its code (`runs.code`); null: of an older version.
    -- Those whose conversations it repeats step by step, its own among them.
    repeats text[] not null default '{}',
    takes_runs boolean not null default true, -- False: it is judged still, or was refused.
    -- What it was judged to be, without a word of a conversation; null: it was not judged.
    verdict json
);

-- Keys for programs, beside the tokens of people.
create table api_keys (
    tenant_id text not null, key_id uuid not null,
    user_id text not null, -- Whom it speaks for; erasing the user takes it along.
    name text not null,
    -- SHA-256. A key has 256 random bits: nothing that is slow to compute would make it safer.
    key_hash bytea not null,
    ending text not null, -- Its last characters, for who has several in a file.
    scopes text[] not null check (
        scopes <@ array['read', 'write', 'admin'] and cardinality(scopes) > 0
    ),
    created_at timestamptz not null default now(), expires_at timestamptz not null,
    last_used_at timestamptz, -- To the minute.
    revoked_at timestamptz,
    primary key (tenant_id, key_id)
);
create unique index api_keys_hash on api_keys (tenant_id, key_hash);

-- Written and read at each start, and rolled back: does every lock hold?
create table probes (
    tenant_id text not null, probe_id uuid not null,
    primary key (tenant_id, probe_id)
);

-- Tools of MCP servers as the operator has let them in, for all tenants.
create table mcp_tools (
    server text not null,
    tool text not null, -- The server's own name for it.
    digest text not null, -- Of all that the server said of it when it was let in.
    seen_digest text not null, -- Of what it says now; if it differs, people are asked before calls.
    seen_at timestamptz not null default now(), -- Since when it says that.
    accepted_at timestamptz, -- When the operator agreed to it by name; null: never.
    primary key (server, tool)
);

-- What administrators did. Rows are added, never changed: only the names of a user who is erased
-- go, and a tenant that moves takes its rows along.
create table audit_entries (
    tenant_id text not null, entry_id uuid not null,
    at timestamptz not null default clock_timestamp(),
    -- A user of the tenant, or the account that gave the command; '': erased. None of both names is
    -- called user_id: erasing a user deletes the rows that have one.
    actor text not null,
    via text not null check (via in ('http', 'cli')),
    key_id uuid, -- Of the API key that the user asked with.
    action text not null,
    target text not null, -- Which budget, key, …; '': none.
    about text not null, -- The user whom it is about; '': none, or erased.
    details json not null, -- Numbers and fixed words, nothing that people typed.
    primary key (tenant_id, entry_id)
);

create function plainloop_keep_audit() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' and old.tenant_id = current_setting('app.moved_tenant', true) then
        return old;
    end if;
    if tg_op = 'UPDATE'
        and new.actor in (old.actor, '') and new.about in (old.about, '')
        and (new.tenant_id, new.entry_id, new.at, new.via, new.key_id, new.action, new.target,
            new.details::text) is not distinct from
            (old.tenant_id, old.entry_id, old.at, old.via, old.key_id, old.action, old.target,
            old.details::text)
    then
        return new;
    end if;
    raise exception 'the audit trail is only added to' using errcode = 'insufficient_privilege';
end
$$;

create trigger kept before update or delete on audit_entries for each row
execute function plainloop_keep_audit();

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

-- Tenants that are being moved to another database.
create table held_tenants (
    tenant_id text primary key,
    -- From then on nothing of it may be written; before that, nothing new begun.
    frozen_at timestamptz
);

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

create function plainloop_enqueue_event(
    tenant text, usr text, thread uuid, run uuid, kind text, told json
) returns void language sql as $$
    insert into webhook_deliveries (tenant_id, webhook_id, user_id, thread_id, run_id, event, data)
    select tenant, webhook_id, usr, thread, run, kind, told
    from webhooks
    where tenant_id = tenant and disabled_at is null and kind = any (events)
        and (user_id is null or user_id = usr)
$$;

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

create trigger tell_webhooks after insert on changes for each row
execute function plainloop_tell_change();
create trigger tell_webhooks after update of told_at on budget_counters for each row
when (old.told_at is null and new.told_at is not null) execute function plainloop_tell_budget();
create trigger tell_webhooks after update of status on rollouts for each row
when (old.status = 'running' and new.status <> 'running') execute function plainloop_tell_verdict();
create trigger tell_webhooks after update of ended_at on replays for each row
when (old.ended_at is null and new.ended_at is not null) execute function plainloop_tell_verdict();
create trigger tell_webhooks after insert on gate_verdicts for each row
execute function plainloop_tell_gate();

-- Vectors are an extra: full text works without them. Where the extension can be had, it is made.
do $$
begin
    if exists (select from pg_available_extensions where name = 'vector') then
        create extension if not exists vector;
    end if;
exception
    when insufficient_privilege or undefined_file or feature_not_supported then
        raise notice 'no pgvector: %', sqlerrm;
end
$$;

-- Documents that workers answer from (packages/retrieval). They belong to a tenant, to no user;
-- those that a pack ships belong to the tenant '*packs*', which nobody signs in as.
create table knowledge_documents (
    tenant_id text not null,
    collection text not null, -- Keeps the documents of one pack apart from those of another.
    name text not null check (name <> ''), -- Adding it again replaces the document.
    size_bytes integer not null,
    digest text not null, -- Of the file and of how it is cut: the same one is not read again.
    -- Others wrote it: text from outside, for whoever reads it.
    is_outside boolean not null default false,
    created_at timestamptz not null default now(),
    primary key (tenant_id, collection, name)
);

-- The passages of documents, for full text and, where pgvector is there, vectors.
create table knowledge_passages (
    tenant_id text not null, collection text not null, name text not null,
    -- 1, 2, 3 … through the document; negative inside the transaction that replaces its text.
    position integer not null check (position <> 0),
    heading text not null, -- The headings above it, " › " between; "" for none.
    content text not null,
    page integer, -- Null: of a format without pages.
    text_offset integer not null, -- The characters of the document's text before it.
    search tsvector not null generated always as (
        setweight(to_tsvector('english', heading), 'A')
        || setweight(to_tsvector('english', content), 'B')
    ) stored,
    embedding_model text, -- "provider:model" that made the vector; null: none made it yet.
    -- Cast to pgvector's type where it is compared: so the table needs no extension.
    embedding real[],
    primary key (tenant_id, collection, name, position),
    foreign key (tenant_id, collection, name) references knowledge_documents on delete cascade,
    check ((embedding_model is null) = (embedding is null))
);
create index knowledge_passages_search on knowledge_passages using gin (search);
