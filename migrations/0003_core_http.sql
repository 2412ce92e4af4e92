-- What only the HTTP server keeps: one-time tickets for WebSockets, and a sign of life of each
-- replica, written by whoever asks for /readyz: a database that can only be read is not ready.

create table tickets (
    tenant_id text not null,
    -- Of the ticket's secret part: who reads this table can open nothing.
    ticket_hash bytea not null,
    user_id text not null,
    is_admin boolean not null,
    -- When the token ends that the ticket was asked for with; null: never.
    identity_expires_at timestamptz,
    expires_at timestamptz not null,
    primary key (tenant_id, ticket_hash)
);
select plainloop_protect('tickets');

-- Of no tenant: for the operator role alone.
create table replicas (
    owner text primary key,
    is_draining boolean not null,
    seen_at timestamptz not null default now()
);
select plainloop_open_to_operator('replicas', 'select, insert, update, delete');
