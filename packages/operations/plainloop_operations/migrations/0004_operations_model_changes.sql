-- Which webhook was told of which price change or re-route: once, as of shutdown dates. A table beside
-- `told_endings`, whose key a replica of before uses.
create table told_changes (
    tenant_id text not null, webhook_id uuid not null,
    provider text not null, models text[] not null, at date not null,
    -- The kind, with the answering model or the new price.
    change text not null,
    told_at timestamptz not null default now(),
    primary key (tenant_id, webhook_id, provider, models, at, change),
    foreign key (tenant_id, webhook_id) references webhooks on delete cascade
);
select plainloop_protect('told_changes'::regclass);
