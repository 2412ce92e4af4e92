-- Roles, and what makes row-level security. Two roles nobody can log in as: `plainloop_app` sees
-- one tenant, `plainloop_operator` does the work of a process for all tenants (heartbeat, claims,
-- retention, reports). `plainloop_backup` reads everything, for pg_dump. Without the right to
-- create roles the service relies on the explicit tenant filter alone.

-- Roles, grants and policies can be made again: a dump holds no roles, the roles of one cluster
-- serve several databases, and an administrator may make them later. So the protected tables are
-- rows; `plainloop_mend` makes the catalog what the rows say.
create table protected_tables (
    target regclass primary key, -- Follows a table that is renamed; in a dump it is the name.
    -- Whether its rows are tenants', each to be seen by its own tenant only.
    is_of_tenants boolean not null,
    operator_rights text[] -- What `plainloop_operator` may do; null: nothing.
);

-- Membership is no proof: since Postgres 16 a role's creator may give it away, but not assume it.
create function plainloop_can_assume(role_name text) returns boolean language plpgsql as $$
begin
    execute format('set local role %I', role_name);
    reset role;
    return true;
exception
    when insufficient_privilege or undefined_object or invalid_parameter_value then
        return false;
end
$$;

-- Make the roles, as far as we may: what is missing is left to the caller to report.
create function plainloop_make_roles() returns void language plpgsql as $$
declare
    role_name text;
begin
    foreach role_name in array array['plainloop_app', 'plainloop_operator', 'plainloop_backup'] loop
        begin
            if not exists (select from pg_roles where rolname = role_name) then
                execute format('create role %I nologin', role_name);
            end if;
        exception
            when insufficient_privilege or duplicate_object or unique_violation then null;
        end;
        begin
            if exists (select from pg_roles where rolname = role_name)
                and not plainloop_can_assume(role_name)
            then
                execute format(
                    'grant %I to %I%s', role_name, current_user,
                    case when current_setting('server_version_num')::int >= 160000
                        then ' with set true' else '' end
                );
            end if;
        exception
            when insufficient_privilege then null;
        end;
        if exists (select from pg_roles where rolname = role_name)
            and not has_schema_privilege(role_name, 'public', 'usage')
        then
            execute format('grant usage on schema public to %I', role_name);
        end if;
    end loop;
end
$$;

-- Protect one table; nothing is written where nothing is missing, as this runs at every start.
-- `backup_all` and `operator_by_name` ask for the role's name: before Postgres 16 a member inherits
-- the policies of a role, and would read all tenants without `set role`
-- (test_a_role_reads_no_tenant_before_it_is_set). The operator's is a policy beside `operator_all`,
-- which stays `true` and vanishes from plans; `is not null` because the planner takes that to hold
-- for nearly every row.
create function plainloop_mend_table(target regclass, is_of_tenants boolean, rights text[])
returns void language plpgsql as $$
declare
    right_name text;
    rule text;
begin
    if is_of_tenants then
        if not (select relrowsecurity from pg_class where oid = target) then
            execute format('alter table %s enable row level security', target);
        end if;
        if not exists (select from pg_policy where polrelid = target and polname = 'tenant_only') then
            execute format(
                'create policy tenant_only on %s'
                ' using (tenant_id = nullif(current_setting(''app.tenant_id'', true), ''''))',
                target
            );
        end if;
    end if;
    if is_of_tenants and exists (select from pg_roles where rolname = 'plainloop_app') then
        foreach right_name in array array['select', 'insert', 'update', 'delete'] loop
            if not has_table_privilege('plainloop_app', target, right_name) then
                execute format('grant %s on %s to plainloop_app', right_name, target);
            end if;
        end loop;
        -- Forced holds for the owner as well, who then sees nothing but through the role.
        if not (select relforcerowsecurity from pg_class where oid = target)
            and plainloop_can_assume('plainloop_app')
        then
            execute format('alter table %s force row level security', target);
        end if;
    end if;
    if rights is not null and exists (select from pg_roles where rolname = 'plainloop_operator') then
        foreach right_name in array rights loop
            if not has_table_privilege('plainloop_operator', target, right_name) then
                execute format('grant %s on %s to plainloop_operator', right_name, target);
            end if;
        end loop;
        if not exists (select from pg_policy where polrelid = target and polname = 'operator_all') then
            execute format('create policy operator_all on %s to plainloop_operator using (true)', target);
        end if;
        if not exists (
            select from pg_policy where polrelid = target and polname = 'operator_by_name'
        ) then
            execute format(
                'create policy operator_by_name on %s as restrictive to plainloop_operator using'
                ' (case when current_user = ''plainloop_operator'' then true end is not null)', target
            );
        end if;
    end if;
    if is_of_tenants and exists (select from pg_roles where rolname = 'plainloop_backup') then
        select pg_get_expr(polqual, polrelid) into rule from pg_policy
        where polrelid = target and polname = 'backup_all';
        if rule is null then
            execute format(
                'create policy backup_all on %s for select to plainloop_backup'
                ' using (current_user = ''plainloop_backup'')', target
            );
        elsif rule = 'true' then
            execute format(
                'alter policy backup_all on %s using (current_user = ''plainloop_backup'')', target
            );
        end if;
    end if;
end
$$;

create function plainloop_mend() returns void language plpgsql as $$
declare
    relation record;
begin
    perform plainloop_make_roles();
    delete from protected_tables
    where not exists (select from pg_class where pg_class.oid = protected_tables.target);
    for relation in select * from protected_tables loop
        perform plainloop_mend_table(
            relation.target, relation.is_of_tenants, relation.operator_rights
        );
    end loop;
    if exists (select from pg_roles where rolname = 'plainloop_backup') then
        for relation in
            select oid::regclass as target from pg_class
            where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S')
                and relowner = (select oid from pg_roles where rolname = current_user)
                and not has_table_privilege('plainloop_backup', oid, 'select')
        loop
            execute format('grant select on %s to plainloop_backup', relation.target);
        end loop;
    end if;
end
$$;

-- Every table of a pack with a tenant_id calls this.
create function plainloop_protect(target regclass) returns void language plpgsql as $$
begin
    insert into protected_tables values (target, true)
    on conflict on constraint protected_tables_pkey do update set is_of_tenants = true;
    perform plainloop_mend_table(target, true, null);
end
$$;

create function plainloop_open_to_operator(target regclass, rights text) returns void
language plpgsql as $$
begin
    insert into protected_tables values (target, false, string_to_array(rights, ', '))
    on conflict on constraint protected_tables_pkey
    do update set operator_rights = excluded.operator_rights;
    perform plainloop_mend_table(target, false, string_to_array(rights, ', '));
end
$$;
