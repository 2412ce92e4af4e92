-- Threads, messages, runs, steps, events. Every key starts with tenant_id, so that the schema can
-- be sharded by tenant; no foreign keys, since they would lock the parent row on every insert, and
-- erasing is one explicit statement anyway. `json` (not `jsonb`) where a value must come back as it
-- went in: key order is part of a provider's cached prompt prefix.

-- A conversation. `kind`: chat and onboarding are listed; parse (a text that a user brought) and
-- helper (a worker's call of a helper) have steps, calls and a recording too, but are in no list.
create table threads (
    tenant_id text not null, thread_id uuid not null, user_id text not null, pack text not null,
    kind text not null, title text not null default '', tags text[] not null default '{}',
    -- The next message's position; positions are 0, 1, 2 … without gaps.
    next_position integer not null default 0,
    -- Estimated tokens of all messages: the next message's offset.
    total_tokens bigint not null default 0,
    data jsonb not null default '{}', -- state["data"]: the pack's fields, kept across runs.
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(), -- When the user last wrote.
    -- It begins as this thread, up to a message that was then changed. May be erased.
    forked_from uuid,
    model text, -- `provider:model` that the user chose; null: as configured.
    is_signed boolean not null default false, -- Its messages are all in slices of signatures.
    primary key (tenant_id, thread_id)
) with (fillfactor = 70);
-- Lists are read in their order: a page costs the same whether its user has ten threads or a million.
create index threads_by_activity on threads (tenant_id, user_id, updated_at, thread_id);
create index threads_of_tenant on threads (tenant_id, updated_at, thread_id);
create index threads_unsigned on threads (tenant_id, updated_at, thread_id) where not is_signed;

-- The messages of threads, each with the offset of its tokens.
create table messages (
    tenant_id text not null, thread_id uuid not null,
    position integer not null check (position >= 0),
    run_id uuid, -- Null: saved outside any run.
    role text not null, parts json not null, tokens integer not null, tokens_before bigint not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, thread_id, position)
);

-- One answer of the agent to one message. Columns that change come last: an update then logs only
-- the end of the row. There is no index by thread: messages name the runs of a thread, and
-- `runs_queued` finds queued ones.
create table runs (
    tenant_id text not null, run_id uuid not null, thread_id uuid not null, user_id text not null,
    design text not null, pack text not null, idempotency_key text, request_hash text,
    created_at timestamptz not null default now(),
    pending_input json, -- The user message of a queued run, not yet in the thread.
    input_position integer, -- Null while queued.
    attempt integer not null default 0,
    -- Every write of a run names it; each change of owner adds one.
    fence bigint not null default 0,
    cancel_requested boolean not null default false, status text not null,
    -- "host/pid/start" of the process that works on it; null: none (queued, or handed over).
    owner text,
    lease_until timestamptz,
    next_node text, -- Null before the first step.
    error_code text, error_message text, notes json, ended_at timestamptz,
    tags text[] not null default '{}',
    -- Tools that the client brings and answers itself: [{name, description, parameters}]; null:
    -- none.
    client_tools json,
    -- Whether the model's thoughts are events; null: as agent.reasoning says.
    tells_reasoning boolean default false,
    -- {option: value} of the options in the request; null: none, or a row of an older version,
    -- whose columns of these names hold them. `tags` is for reports as well; replicas of older
    -- versions read `client_tools` and `tells_reasoning`.
    options json,
    -- Fingerprint of code, prompts, rules, packs and settings of the process that began it; null: a
    -- command, or an older version.
    code text,
    parts_name text, -- Of `code_parts`; null: an older version, or a run of another system.
    primary key (tenant_id, run_id)
) with (fillfactor = 60);
-- One active run per thread. Holds active rows only, so the search for expired leases reads it too.
create unique index runs_active on runs (tenant_id, thread_id)
where status in ('running', 'waiting');
-- Queued runs, oldest first within their thread; empty most of the time.
create index runs_queued on runs (tenant_id, thread_id, created_at) where status = 'queued';
-- A key is its user's: two users may choose the same one.
create unique index runs_idempotency on runs (tenant_id, user_id, idempotency_key)
where idempotency_key is not null;

-- One node that a run went through.
create table steps (
    tenant_id text not null, run_id uuid not null, n integer not null check (n >= 0),
    node text not null,
    -- The node's update without `messages`; those are positions first..last of the thread.
    update json not null,
    next_node text not null, first_position integer, last_position integer,
    avoided json, -- Lists of AvoidedCall and of text; null: empty.
    notes json, started_at timestamptz not null, duration_ms integer not null,
    -- The events of the step, in the form of run_events; null: none, or aged out.
    first_seq integer check (first_seq >= 1),
    last_seq integer, events json,
    primary key (tenant_id, run_id, n)
);
create index steps_by_time on steps using brin (started_at)
with (pages_per_range = 32, autosummarize = on);

-- Calls of tools, by run.
create table tool_calls (
    tenant_id text not null, run_id uuid not null, tool_call_id text not null,
    step integer not null, index integer not null, name text not null, effect text not null,
    status text not null, arguments json not null,
    result json, -- Kept here only when it is not (yet) in the thread's tool message.
    idempotency_key text not null, duration_ms integer,
    receipt json, -- What is kept of a call of an MCP server.
    started_at timestamptz, -- Null: recorded by an older version, or never begun.
    primary key (tenant_id, run_id, tool_call_id)
);

-- Events of a run that were written between two steps or at its end: one row per flush. Those of a
-- step are in the row of the step. Together they are seq 1, 2, 3 … without gaps.
create table run_events (
    tenant_id text not null, run_id uuid not null,
    first_seq integer not null check (first_seq >= 1),
    last_seq integer not null check (last_seq >= first_seq),
    -- [[name, data], …]; consecutive text deltas as one ["text_delta", ["a", "b"]].
    events json not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, run_id, first_seq)
);

-- A person's decision on one tool call: bound to its arguments, used once, expiring. A call of a
-- client's tool waits in the same way; the client gives its result.
create table approvals (
    tenant_id text not null, approval_id uuid not null, run_id uuid not null,
    thread_id uuid not null, user_id text not null, tool_call_id text not null,
    tool_name text not null, arguments json not null, arguments_hash text not null,
    status text not null check (status in ('pending', 'approved', 'denied', 'expired', 'consumed')),
    decided_by text, decided_at timestamptz, expires_at timestamptz not null,
    created_at timestamptz not null default now(),
    question text, -- What the person is asked, in words; null: the call as it is.
    is_client boolean not null default false, -- A call of a tool that the client answers.
    answer json, -- {result, is_error} of the client; null: none yet.
    reason text, -- Why it was denied, in the person's words; null: no reason, or allowed.
    primary key (tenant_id, approval_id),
    -- One decision per tool call; also finds a run's approvals.
    unique (tenant_id, run_id, tool_call_id)
);
-- Pending questions of a user or of a tenant: few rows among many.
create index approvals_pending on approvals (tenant_id, user_id, approval_id)
where status = 'pending';
-- A "yes" in words names its question by the end of the approval's id.
create index approvals_code on approvals (tenant_id, user_id, right(approval_id::text, 12));

-- Which run a worker's call of a helper began.
create table helper_runs (
    tenant_id text not null, caller_run_id uuid not null,
    tool_call_id text not null, -- One call begins one run, however often its step is done again.
    caller_thread_id uuid not null, user_id text not null, worker text not null,
    depth int not null, -- 1: of a run that is nobody's helper.
    run_id uuid, -- Null: it was refused, and why.
    thread_id uuid, refused text, created_at timestamptz not null default now(),
    primary key (tenant_id, caller_run_id, tool_call_id)
);
create index helper_runs_by_run on helper_runs (tenant_id, run_id) where run_id is not null;
create index helper_runs_by_thread on helper_runs (tenant_id, caller_thread_id);

-- What a user thought of an answer.
create table ratings (
    tenant_id text not null, run_id uuid not null, thread_id uuid not null, user_id text not null,
    rating text not null check (rating in ('up', 'down')), note text not null default '',
    rated_at timestamptz not null default now(),
    primary key (tenant_id, run_id),
    -- Whoever rates an answer that is being erased does not bring it back.
    foreign key (tenant_id, run_id) references runs on delete cascade
);
create index ratings_by_thread on ratings (tenant_id, thread_id);

-- Names that other clients give to threads and messages.
create table client_threads (
    tenant_id text not null, user_id text not null,
    space text not null, -- Whose name it is: of the protocol's conversations, or of its messages.
    name text not null, thread_id uuid not null,
    position integer, -- Of a message: its place in the thread.
    created_at timestamptz not null default now(),
    primary key (tenant_id, user_id, space, name)
);
create index client_threads_by_thread on client_threads (tenant_id, thread_id);

-- What triage answered to a sentence, without the names in it: the vote of one run for one
-- template. A template serves everybody as long as votes of two users stand for it, so it goes with
-- those users and with their conversations.
create table learned_votes (
    tenant_id text not null,
    vote_id uuid not null, -- UUIDv7: the order in which they came.
    user_id text not null, -- '' : brought by an import, and nobody's.
    thread_id uuid, run_id uuid, pack text not null,
    template text not null, -- The sentence with slots: "jobs at {jobs.company} over {number}".
    -- The same for LIKE; numbers and dates are one character each, names are %.
    pattern text not null,
    -- The first word, unless it is part of a slot: what the index narrows by.
    opening text not null,
    -- {"fast_intent", "entity_type", "filters"} or {"worker"}, with the slots by number: "{0}".
    answer jsonb not null,
    criteria text not null,
    is_within boolean not null, -- Whether triage was shown what had been said before.
    -- Triage has said something else: none of the template's votes counts any more.
    is_dropped boolean not null default false,
    uses bigint not null default 0, -- How often the template answered; on its oldest vote.
    primary key (tenant_id, vote_id)
);
create index learned_votes_opening on learned_votes (tenant_id, pack, opening);
create index learned_votes_template on learned_votes (tenant_id, pack, md5(template));
create index learned_votes_user on learned_votes (tenant_id, user_id, pack, vote_id);

-- What changed in the last hour, for viewers of lists. Triggers write it: a dozen statements set a
-- status, and one that forgot to report it would leave a list wrong for good.
create table changes (
    tenant_id text not null, change_id bigint generated always as identity,
    -- The moment itself: the transaction of a step may have begun long before.
    at timestamptz not null default clock_timestamp(),
    user_id text not null,
    thread_id uuid, -- Null: of one that was erased; nothing says which it was.
    run_id uuid, approval_id uuid,
    status text not null, -- Of the approval, else of the run, else what became of the conversation.
    primary key (tenant_id, change_id)
);

create function plainloop_tell_run() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' or old.status <> new.status then
        insert into changes (tenant_id, user_id, thread_id, run_id, status)
        values (new.tenant_id, new.user_id, new.thread_id, new.run_id, new.status);
    end if;
    return null;
end
$$;

create function plainloop_tell_approval() returns trigger language plpgsql as $$
begin
    insert into changes (tenant_id, user_id, thread_id, run_id, approval_id, status)
    values (new.tenant_id, new.user_id, new.thread_id, new.run_id, new.approval_id, new.status);
    return null;
end
$$;

create function plainloop_tell_thread() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' then
        insert into changes (tenant_id, user_id, status)
        values (old.tenant_id, old.user_id, 'erased');
    else
        insert into changes (tenant_id, user_id, thread_id, status)
        values (
            new.tenant_id, new.user_id, new.thread_id,
            case tg_op when 'INSERT' then 'begun' else 'renamed' end
        );
    end if;
    return null;
end
$$;

create trigger tell_new after insert on runs for each row execute function plainloop_tell_run();
create trigger tell_status after update of status on runs for each row
execute function plainloop_tell_run();
create trigger tell_new after insert on approvals for each row
when (not new.is_client) execute function plainloop_tell_approval();
create trigger tell_status after update of status on approvals for each row
when (not new.is_client and old.status is distinct from new.status)
execute function plainloop_tell_approval();
create trigger tell_ends after insert or delete on threads for each row
execute function plainloop_tell_thread();
create trigger tell_title after update of title on threads for each row
when (old.title is distinct from new.title) execute function plainloop_tell_thread();

-- Words are found in conversations by signatures, each of a few messages in a row: one bit is set
-- for each three letters in a row that the messages hold. The messages themselves are read only
-- where all bits of the search are set. A search writes missing signatures, never a turn, and reads
-- the messages that have none (`save_signatures`).
create table message_signatures (
    tenant_id text not null, thread_id uuid not null, first_position integer not null,
    until_position integer not null, -- The position after the last one.
    signature bit(4096) not null,
    slice integer, -- Where the signature lies; null: in no slice.
    number integer,
    primary key (tenant_id, thread_id, first_position)
);
create unique index signatures_by_slice on message_signatures (tenant_id, slice, number);

-- The same bit of 4,096 signatures side by side: a search reads as many rows as it has letters. A
-- slice is deleted with any of its signatures; what is in no slice is read as before.
create table message_slices (
    tenant_id text not null,
    place integer not null, -- of the bit in a signature
    slice integer not null,
    holders bit varying not null, -- by number, which signatures have it
    primary key (tenant_id, place, slice)
);

-- Messages are not changed but where something in them is erased; then its traces go as well.
create function plainloop_forget_signatures() returns trigger language plpgsql as $$
begin
    delete from message_signatures
    where tenant_id = new.tenant_id and thread_id = new.thread_id;
    return null;
end
$$;

-- A later message of a thread is in none of its signatures. After, not before: that would lock
-- every row first, also where this is not called.
create function plainloop_unsign() returns trigger language plpgsql as $$
begin
    if new.is_signed and old.next_position <> new.next_position then
        update threads set is_signed = false
        where tenant_id = new.tenant_id and thread_id = new.thread_id;
    end if;
    return null;
end
$$;

-- A slice has its threads' titles in it. The row waits for who is about to put it into one.
create function plainloop_retitle() returns trigger language plpgsql as $$
begin
    update message_signatures set slice = null, number = null
    where tenant_id = new.tenant_id and thread_id = new.thread_id and first_position = 0;
    return null;
end
$$;

create function plainloop_drop_slices() returns trigger language plpgsql as $$
begin
    update threads set is_signed = false from gone
    where threads.tenant_id = gone.tenant_id and threads.thread_id = gone.thread_id and is_signed;
    if exists (select from gone where slice is not null) then
        delete from message_slices using generate_series(0, 4095) as places (place),
            (select distinct tenant_id, slice from gone where slice is not null) as dropped
        where message_slices.tenant_id = dropped.tenant_id
            and message_slices.slice = dropped.slice and message_slices.place = places.place;
        update message_signatures set slice = null, number = null
        from (select distinct tenant_id, slice from gone where slice is not null) as dropped
        where message_signatures.tenant_id = dropped.tenant_id
            and message_signatures.slice = dropped.slice;
    end if;
    return null;
end
$$;

create trigger forget_signatures after update of parts on messages
for each row execute function plainloop_forget_signatures();
create trigger unsign after update of next_position on threads for each row
when (old.is_signed) execute function plainloop_unsign();
create trigger retitle after update of title on threads for each row
when (old.title is distinct from new.title and old.next_position > 0)
execute function plainloop_retitle();
create trigger drop_slices after delete on message_signatures
referencing old table as gone for each statement execute function plainloop_drop_slices();
