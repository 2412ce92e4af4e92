-- What people say of a replayed conversation, the candidate held against its reference.

create table replay_verdicts (
    tenant_id text not null,
    replay_id uuid not null,
    -- As in replay_items, and like there the thread: erasing it finds what was said of it.
    n integer not null,
    thread_id uuid,
    -- Who says it: each person once.
    user_id text not null,
    verdict text not null check (verdict in ('better', 'worse', 'same')),
    note text not null default '',
    judged_at timestamptz not null default now(),
    primary key (tenant_id, replay_id, n, user_id),
    -- An erased user's replay takes along what others said of it.
    foreign key (tenant_id, replay_id) references replays on delete cascade
);

insert into protected_tables (target, is_of_tenants) values ('replay_verdicts', true);
select plainloop_mend();
