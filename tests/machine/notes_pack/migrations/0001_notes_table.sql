-- The notes of the machine's test pack.
create table notes (
    tenant_id text not null,
    note_id bigint generated always as identity,
    user_id text not null,
    text text not null,
    stars integer not null default 0,
    primary key (tenant_id, note_id)
);
select plainloop_protect('notes');
