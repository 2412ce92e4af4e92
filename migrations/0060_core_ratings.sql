-- What a user thought of an answer: of the run that gave it, whose it is, once.

create table ratings (
    tenant_id text not null,
    run_id uuid not null,
    thread_id uuid not null,
    user_id text not null,
    rating text not null check (rating in ('up', 'down')),
    note text not null default '',
    rated_at timestamptz not null default now(),
    primary key (tenant_id, run_id),
    -- Whoever rates an answer that is being erased does not bring it back.
    foreign key (tenant_id, run_id) references runs on delete cascade
);
select plainloop_protect('ratings');
-- To show a thread, to choose threads by it, and to erase one.
create index ratings_by_thread on ratings (tenant_id, thread_id);
