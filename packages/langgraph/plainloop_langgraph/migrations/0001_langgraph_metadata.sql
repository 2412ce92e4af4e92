-- adopts: client_metadata
-- What other clients note beside their threads and runs, to find them again.
create table client_metadata (
    tenant_id text not null,
    thread_id uuid not null, -- To erase it with its thread.
    id uuid not null, -- Whose it is: the thread's, or one of its runs'.
    metadata jsonb not null,
    primary key (tenant_id, id)
);
create index client_metadata_by_thread on client_metadata (tenant_id, thread_id);

select plainloop_protect('client_metadata'::regclass);
