-- name: can_assume
-- Whether we may act as the role: tried, not asked.
select plainloop_can_assume($1)

-- name: mend
-- Make what is missing of roles, grants and policies.
select plainloop_mend()

-- name: is_forced
-- Whether any table hides its rows from its owner: then nothing works without the roles.
select exists (
    select from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity
)

-- name: list_role_repairs
-- What an administrator has to run so that the roles $1 exist and can be assumed by us.
select case when exists (select from pg_roles where rolname = name)
    then '' else format('create role %I nologin; ', name) end
    || format('grant %I to %I%s;', name, current_user,
        case when current_setting('server_version_num')::int >= 160000
            then ' with set true' else '' end) as statement
from unnest($1::text[]) as name

-- name: list_table_repairs
-- The same for tables that a role of ours cannot use, or that are not protected.
with wanted as (
    select target, 'plainloop_app' as role_name, right_name
    from protected_tables, unnest(array['select', 'insert', 'update', 'delete']) as right_name
    where is_of_tenants
    union all
    select target, 'plainloop_operator', right_name
    from protected_tables, unnest(operator_rights) as right_name
)
select format('grant %s on %s to %I;', right_name, target, role_name) as statement
from wanted where not has_table_privilege(role_name, target, right_name)
union all
select format('alter table %s owner to %I;', target, current_user)
from protected_tables
where is_of_tenants and not exists (
    select from pg_policy where polrelid = target and polname = 'tenant_only'
)

-- name: insert_probe
-- A row of this transaction's tenant.
insert into probes (tenant_id, probe_id) values ($1, gen_random_uuid())

-- name: list_probes
-- Whose rows can be seen; without a tenant on purpose: row-level security has to do it.
select distinct tenant_id from probes

-- name: choose_tenant
-- The rest of the transaction is another tenant's.
select set_config('app.tenant_id', $1, true)
