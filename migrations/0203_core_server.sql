-- What the server keeps beside conversations: sessions, keys, replicas, its own code, tools
-- of others.

-- One-time tickets for WebSockets, and sessions of browsers.
create table tickets (
    tenant_id text not null,
    -- Of the ticket's secret part: who reads this table can open nothing.
    ticket_hash bytea not null,
    user_id text not null, is_admin boolean not null,
    -- When the token ends that the ticket was asked for with; null: never.
    identity_expires_at timestamptz,
    expires_at timestamptz not null,
    -- It may be used more than once, until the browser signs out.
    is_session boolean not null default false,
    key_id uuid, -- The API key that it was made with; it ends with the key.
    primary key (tenant_id, ticket_hash)
);

-- A sign of life of each replica, written when /readyz is requested: a database that can only be
-- read is not ready. Of no tenant.
create table replicas (
    owner text primary key, is_draining boolean not null,
    seen_at timestamptz not null default now(),
    -- When it checks for work next: replicas do so one after the other.
    looks_at timestamptz not null default '-infinity',
    started_at timestamptz not null default now(),
    code text, -- Fingerprint of its code (`runs.code`); null: of an older version.
    -- Those whose conversations it repeats step by step, its own among them.
    repeats text[] not null default '{}',
    takes_runs boolean not null default true, -- False: it is judged still, or was refused.
    -- What it was judged to be, without a word of a conversation; null: it was not judged.
    verdict json
);

-- Keys for programs, beside the tokens of people.
create table api_keys (
    tenant_id text not null, key_id uuid not null,
    user_id text not null, -- Whom it speaks for; erasing the user takes it along.
    name text not null,
    -- SHA-256. A key has 256 random bits: nothing that is slow to compute would make it safer.
    key_hash bytea not null,
    ending text not null, -- Its last characters, for who has several in a file.
    scopes text[] not null check (
        scopes <@ array['read', 'write', 'admin'] and cardinality(scopes) > 0
    ),
    created_at timestamptz not null default now(), expires_at timestamptz not null,
    last_used_at timestamptz, -- To the minute.
    revoked_at timestamptz,
    primary key (tenant_id, key_id)
);
create unique index api_keys_hash on api_keys (tenant_id, key_hash);

-- Written and read at each start, and rolled back: does every lock hold?
create table probes (
    tenant_id text not null, probe_id uuid not null,
    primary key (tenant_id, probe_id)
);

-- Tools of MCP servers as the operator has let them in, for all tenants.
create table mcp_tools (
    server text not null,
    tool text not null, -- The server's own name for it.
    digest text not null, -- Of all that the server said of it when it was let in.
    seen_digest text not null, -- Of what it says now; if it differs, people are asked before calls.
    seen_at timestamptz not null default now(), -- Since when it says that.
    accepted_at timestamptz, -- When the operator agreed to it by name; null: never.
    primary key (server, tool)
);

-- What administrators did. Rows are added, never changed: only the names of a user who is erased
-- go, and a tenant that moves takes its rows along.
create table audit_entries (
    tenant_id text not null, entry_id uuid not null,
    at timestamptz not null default clock_timestamp(),
    -- A user of the tenant, or the account that gave the command; '': erased. None of both names is
    -- called user_id: erasing a user deletes the rows that have one.
    actor text not null,
    via text not null check (via in ('http', 'cli')),
    key_id uuid, -- Of the API key that the user asked with.
    action text not null,
    target text not null, -- Which budget, key, …; '': none.
    about text not null, -- The user whom it is about; '': none, or erased.
    details json not null, -- Numbers and fixed words, nothing that people typed.
    primary key (tenant_id, entry_id)
);

create function plainloop_keep_audit() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' and old.tenant_id = current_setting('app.moved_tenant', true) then
        return old;
    end if;
    if tg_op = 'UPDATE'
        and new.actor in (old.actor, '') and new.about in (old.about, '')
        and (new.tenant_id, new.entry_id, new.at, new.via, new.key_id, new.action, new.target,
            new.details::text) is not distinct from
            (old.tenant_id, old.entry_id, old.at, old.via, old.key_id, old.action, old.target,
            old.details::text)
    then
        return new;
    end if;
    raise exception 'the audit trail is only added to' using errcode = 'insufficient_privilege';
end
$$;

create trigger kept before update or delete on audit_entries for each row
execute function plainloop_keep_audit();

-- Which code began a run, part by part: what a recorded replay takes from the recording may be
-- another today.
create table code_parts (
    name text primary key, -- digest of `parts`
    parts json not null, -- a digest, or a setting's value, by the part's name; no word of a tenant
    created_at timestamptz not null default now()
);

-- Tenants that are being moved to another database.
create table held_tenants (
    tenant_id text primary key,
    -- From then on nothing of it may be written; before that, nothing new begun.
    frozen_at timestamptz
);
