-- name: list_tables
-- Tables of tenants, those that others refer to first, with the columns that are written, and those
-- of them that a sequence numbers.
select c.relname::text as name,
    array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
    coalesce(array_agg(a.attname::text) filter (
        where pg_get_serial_sequence(quote_ident(c.relname), a.attname) is not null
    ), '{}') as numbered
from pg_class as c
join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and exists (
        select from pg_attribute
        where attrelid = c.oid and attname = 'tenant_id' and not attisdropped
    )
group by c.oid, c.relname
order by exists (select from pg_constraint where conrelid = c.oid and contype = 'f'), c.relname

-- name: choose_tenant
-- Whose rows this transaction sees, and may write although they are held.
select set_config('app.tenant_id', $1, true), set_config('app.moved_tenant', $1, true),
    set_config('lock_timeout', '10000', true)

-- name: take_turn
-- One move at a time.
select pg_advisory_xact_lock(hashtextextended('plainloop move', 0))

-- name: hold
-- Nothing new is begun for the tenant.
insert into held_tenants (tenant_id) values ($1) on conflict do nothing

-- name: freeze
-- Nothing of it is written.
update held_tenants set frozen_at = coalesce(frozen_at, now()) where tenant_id = $1

-- name: is_frozen
-- Whether nothing of it is written.
select frozen_at is not null from held_tenants where tenant_id = $1

-- name: release
-- Everything of it may be written.
delete from held_tenants where tenant_id = $1

-- name: list_held
-- The tenants that are held, of those that this transaction sees.
select tenant_id from held_tenants

-- name: count_open
-- What is at work for the tenant. Runs that are queued, or wait for people, move as they are.
select
    (select count(*) from runs where tenant_id = $1 and status = 'running') as runs,
    (select count(*) from replays where tenant_id = $1 and ended_at is null) as replays,
    (select count(*) from rollouts where tenant_id = $1 and status = 'running') as rollouts

-- name: load_rolled_until
-- Up to when the ledger is added up, of all tenants.
select rolled_until from usage_rolled

-- name: begin_rolled
-- Where nothing was added up yet, it is up to here.
insert into usage_rolled (rolled_until) values ($1)
