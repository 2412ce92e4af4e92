-- Providers' batch APIs: what was handed in there, so that whoever comes next goes on with it.

-- How the provider worked on the call, where that has a price of its own; null: at once.
alter table llm_calls add column processing text check (processing in ('batch'));

-- A batch at a provider: one request of each conversation that was ready for it.
create table replay_waves (
    tenant_id text not null,
    wave_id uuid not null,
    replay_id uuid not null,
    -- Who replays.
    user_id text not null,
    -- 1, 2, 3 … within the replay.
    n integer not null,
    provider text not null,
    model text not null,
    endpoint text not null,
    -- Whose settings have the key and the address: {"lane", "role", "worker", "place"}.
    handle json not null,
    -- submitting: the provider may or may not have it. open: it has, under batch_id.
    -- lost: it never had it. ended: every request has its outcome.
    status text not null check (status in ('submitting', 'open', 'ended', 'lost')),
    batch_id text,
    requests integer not null,
    answered integer not null default 0,
    -- Claimed like an item.
    owner text,
    fence bigint not null default 1,
    lease_until timestamptz,
    created_at timestamptz not null default now(),
    -- The provider's own deadline.
    expires_at timestamptz,
    ended_at timestamptz,
    primary key (tenant_id, wave_id)
);
create unique index replay_waves_by_number on replay_waves (tenant_id, replay_id, n);

create table replay_wave_requests (
    tenant_id text not null,
    wave_id uuid not null,
    -- With the wave it makes the custom_id.
    place integer not null,
    replay_id uuid not null,
    lane text not null,
    n integer not null,
    turn integer not null,
    -- 0, 1, 2 … within the turn.
    call integer not null,
    -- As in replay_items.
    user_id text not null,
    thread_id uuid,
    -- Its row in the ledger.
    call_id uuid not null,
    fingerprint bytea not null,
    -- The most that it may cost; null: its price is not known.
    most_usd numeric,
    status text not null default 'open' check (status in ('open', 'succeeded', 'failed')),
    -- As the provider gave it, until the conversation has taken it.
    outcome json,
    primary key (tenant_id, wave_id, place)
);
create index replay_wave_requests_by_item on replay_wave_requests (tenant_id, replay_id, lane, n);

select plainloop_protect(name::regclass)
from unnest(array['replay_waves', 'replay_wave_requests']) as name;
