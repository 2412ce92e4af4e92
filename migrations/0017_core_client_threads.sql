-- Threads and messages as other people's clients name them, and where a thread was forked.

create table client_threads (
    tenant_id text not null,
    user_id text not null,
    -- Whose name it is: of the protocol's conversations, or of its messages.
    space text not null,
    name text not null,
    thread_id uuid not null,
    -- Of a message: its place in the thread.
    position integer,
    created_at timestamptz not null default now(),
    primary key (tenant_id, user_id, space, name)
);
select plainloop_protect('client_threads');
-- To erase a thread.
create index client_threads_by_thread on client_threads (tenant_id, thread_id);

-- A thread that begins as another one, up to a message that was then said differently. The other
-- may be erased.
alter table threads add column forked_from uuid;
