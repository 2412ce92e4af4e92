-- How far ended conversations were read for what is worth keeping (`memory.learn_after_s`).
create table memory_reads (
    tenant_id text not null,
    thread_id uuid not null,
    user_id text not null,
    -- The first message that was not read.
    position integer not null,
    read_at timestamptz not null default clock_timestamp(),
    primary key (tenant_id, thread_id)
);
select plainloop_protect('memory_reads');
select plainloop_open_to_operator('memory_reads', 'select');
