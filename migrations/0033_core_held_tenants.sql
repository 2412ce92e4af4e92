-- Tenants that are being moved to another database: agent/moving.

create table held_tenants (
    tenant_id text primary key,
    -- From then on nothing of it may be written; before that, nothing new begun.
    frozen_at timestamptz
);
select plainloop_protect('held_tenants');
select plainloop_open_to_operator('held_tenants', 'select');

-- Triggers call it, and are there as long as any tenant is held. Its first argument: `new`, where
-- only what begins is refused.
create function plainloop_refuse_held() returns trigger language plpgsql as $$
declare
    tenant text := case when tg_op = 'DELETE' then old.tenant_id else new.tenant_id end;
begin
    if exists (
        select from held_tenants
        where tenant_id = tenant and (tg_argv[0] = 'new' or frozen_at is not null)
    ) and tenant is distinct from current_setting('app.moved_tenant', true) then
        raise exception 'the tenant % is being moved to another database', tenant
            using errcode = 'lock_not_available';
    end if;
    if tg_op = 'DELETE' then
        return old;
    end if;
    return new;
end
$$;
