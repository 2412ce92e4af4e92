-- adopts: provider_rates
-- What all replicas together may ask of a provider in a minute, with the tenants in turn.
-- `plainloop_take_rate` uses, locks and deletes the rows of these four tables; they are of the last
-- minute only.
create table provider_rates (
    rate text primary key, -- "provider", or "provider:model".
    -- Where the line stands: the start of the call that was let through last, or of the first that
    -- waits.
    clock double precision not null default 0,
    -- The provider has said 429, and when to come again.
    paused_until timestamptz not null default '-infinity'
);

-- What was let through in each second.
create table provider_rate_uses (
    rate text not null,
    second bigint not null, -- Since 1970, by the database's clock.
    requests bigint not null, tokens bigint not null,
    primary key (rate, second)
);

-- Where in the line a tenant's next call starts, if that is not where the line stands.
create table provider_rate_turns (
    tenant_id text not null, rate text not null, next_start double precision not null,
    primary key (tenant_id, rate)
);

-- The calls that wait at other replicas, as they reported a second ago.
create table provider_rate_lines (
    tenant_id text not null, rate text not null, replica text not null, calls bigint not null,
    tokens bigint not null, seen_at timestamptz not null,
    primary key (tenant_id, rate, replica)
);

select plainloop_protect(name::regclass)
from unnest('{provider_rate_turns, provider_rate_lines}'::text[]) as name;
select plainloop_open_to_operator(name::regclass, 'select, insert, update, delete')
from unnest(
    '{provider_rates, provider_rate_uses, provider_rate_turns, provider_rate_lines}'::text[]
) as name;
