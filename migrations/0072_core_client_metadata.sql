-- What other people's clients note down beside their threads and runs, to find them again.

create table client_metadata (
    tenant_id text not null,
    -- To erase it with its thread.
    thread_id uuid not null,
    -- Whose it is: the thread's, or one of its runs'.
    id uuid not null,
    metadata jsonb not null,
    primary key (tenant_id, id)
);
select plainloop_protect('client_metadata');
create index client_metadata_by_thread on client_metadata (tenant_id, thread_id);
