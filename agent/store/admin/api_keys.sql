-- name: take_turn
-- Keys of a user are counted and made one after the other.
select pg_advisory_xact_lock(hashtextextended($1 || chr(31) || $2, 74))

-- name: save_key
-- A new key of user $3, for $8 seconds; none if $9 are valid. Those invalid for a month are deleted.
with gone as (
    delete from api_keys
    where tenant_id = $1 and least(expires_at, revoked_at) < now() - interval '30 days'
)
insert into api_keys (tenant_id, key_id, user_id, name, key_hash, ending, scopes, expires_at)
select $1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8)
where $9 > (
    select count(*) from api_keys
    where tenant_id = $1 and user_id = $3 and revoked_at is null and expires_at > now()
)
returning expires_at

-- name: has_key
-- Whether the key still holds.
select true from api_keys
where tenant_id = $1 and key_id = $2 and revoked_at is null and expires_at > now()

-- name: list_keys
-- The keys of user $2 (null: everybody's), the newest first.
select key_id, user_id, name, ending, scopes, created_at, expires_at, last_used_at, revoked_at
from api_keys where tenant_id = $1 and ($2::text is null or user_id = $2)
order by created_at desc, key_id desc

-- name: revoke_key
-- A key of user $3 (null: of anybody), and what was had for it.
with revoked as (
    update api_keys set revoked_at = coalesce(revoked_at, now())
    where tenant_id = $1 and key_id = $2 and ($3::text is null or user_id = $3)
    returning key_id, user_id
), ended as (
    delete from tickets using revoked
    where tickets.tenant_id = $1 and tickets.key_id = revoked.key_id
)
select user_id from revoked

-- name: count_ending_keys
-- How many keys of all tenants end within two weeks.
select count(*) from api_keys
where revoked_at is null and expires_at between now() and now() + interval '14 days'
