-- Schedules that begin something else than a run, and models that end.

-- What a package's hook `task` does in place of sending the message; null: it is sent.
alter table schedules add column task json;

-- Which webhook was told of which ending: another date or successor is told again.
create table told_endings (
    tenant_id text not null, webhook_id uuid not null,
    provider text not null, models text[] not null, ends date not null, successor text not null,
    told_at timestamptz not null default now(),
    primary key (tenant_id, webhook_id, provider, models, ends, successor),
    foreign key (tenant_id, webhook_id) references webhooks on delete cascade
);
select plainloop_protect('told_endings'::regclass);
