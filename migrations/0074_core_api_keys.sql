-- Keys for programs, beside the tokens of people.

create table api_keys (
    tenant_id text not null,
    key_id uuid not null,
    -- Whom it speaks for; erasing the user takes it along.
    user_id text not null,
    name text not null,
    -- SHA-256. A key has 256 random bits: nothing that is slow to compute would make it safer.
    key_hash bytea not null,
    -- Its last characters, for who has several in a file.
    ending text not null,
    scopes text[] not null
        check (scopes <@ array['read', 'write', 'admin'] and cardinality(scopes) > 0),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    -- To the minute.
    last_used_at timestamptz,
    revoked_at timestamptz,
    primary key (tenant_id, key_id)
);
create unique index api_keys_hash on api_keys (tenant_id, key_hash);
select plainloop_protect('api_keys');

-- A ticket or a session that was had for a key ends with it.
alter table tickets add column key_id uuid;
